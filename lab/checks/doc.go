// Package checks tests what no package owns: that the documents agree with the code, and that the data
// sets of the benchmarks are sound.
package checks
