// Package checks tests what no package owns: that the documents are true to the code, and that the
// data sets of the benchmarks are sound.
package checks
