package vectors

import (
	"os"
	"syscall"
	"unsafe"
)

// mapFile maps the first size bytes of f, which are more than 0, for reading.
func mapFile(f *os.File, size int64) ([]byte, error) {
	section, err := syscall.CreateFileMapping(syscall.Handle(f.Fd()), nil, syscall.PAGE_READONLY, uint32(size>>32), uint32(size), nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateFileMapping", err)
	}
	defer syscall.CloseHandle(section) // the view keeps it alive
	at, err := syscall.MapViewOfFile(section, syscall.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, os.NewSyscallError("MapViewOfFile", err)
	}
	// The memory belongs to the system, so the garbage collector never moves
	// it; vet accepts the conversion only in this form.
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), int(size)), nil
}

func unmapFile(mapped []byte) error {
	if mapped == nil {
		return nil
	}
	return os.NewSyscallError("UnmapViewOfFile", syscall.UnmapViewOfFile(uintptr(unsafe.Pointer(&mapped[0]))))
}
