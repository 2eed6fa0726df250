// Package serve runs this process as a Delve server, and adds what Delve lacks: frames of
// functions without a frame pointer, the memory of registers after an assignment, and an
// end that leaves an attached process in order.
package serve
