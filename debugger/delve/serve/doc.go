// Package serve runs this process as a Delve server: what reexec starts, and what Delve
// lacks there, such as frames of functions without a frame pointer, the memory of
// registers after an assignment, and an end that leaves an attached process in order.
package serve
