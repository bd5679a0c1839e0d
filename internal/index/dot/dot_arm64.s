#include "textflag.h"

// Instructions that Go's assembler has no names for. They take the numbers of
// V registers, sources first.

// Widens the lower or upper 8 bytes of n to 8 numbers of 16 bits.
#define SXTL(n, d)  WORD $(0x0F08A400 | (n)<<5 | (d))
#define SXTL2(n, d) WORD $(0x4F08A400 | (n)<<5 | (d))

// Adds the products of the lower or upper 4 numbers of 16 bits to the 4
// numbers of 32 bits in d.
#define SMLAL(m, n, d)  WORD $(0x0E608000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2(m, n, d) WORD $(0x4E608000 | (m)<<16 | (n)<<5 | (d))

// func neon(out *int32, query *int16, rows *byte, stride, n int)
TEXT ·neon(SB), NOSPLIT, $0-40
	MOVD out+0(FP), R0
	MOVD query+8(FP), R1
	MOVD rows+16(FP), R2
	MOVD stride+24(FP), R3
	MOVD n+32(FP), R4

row:
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	MOVD R1, R5
	MOVD R3, R6

step:
	VLD1.P 32(R2), [V4.B16, V5.B16]
	VLD1.P 64(R5), [V16.H8, V17.H8, V18.H8, V19.H8]
	SXTL(4, 6)
	SXTL2(4, 7)
	SXTL(5, 20)
	SXTL2(5, 21)
	SMLAL(6, 16, 0)
	SMLAL2(6, 16, 1)
	SMLAL(7, 17, 2)
	SMLAL2(7, 17, 3)
	SMLAL(20, 18, 0)
	SMLAL2(20, 18, 1)
	SMLAL(21, 19, 2)
	SMLAL2(21, 19, 3)
	SUBS   $32, R6, R6
	BNE    step

	VADD   V1.S4, V0.S4, V0.S4
	VADD   V3.S4, V2.S4, V2.S4
	VADD   V2.S4, V0.S4, V0.S4
	VADDV  V0.S4, V0
	FMOVS  F0, (R0)
	ADD    $4, R0, R0
	SUBS   $1, R4, R4
	BNE    row
	RET
