// Package delve runs a program under Delve and describes it in the plain values of
// package debugger. Only it and the packages below it import Delve: those are the parts
// that a Target consists of, and what they stand on.
//
// A Target consists of parts over one control.Server: memory, stacks, values, goroutines,
// panics, breakpoints, steps, moves and others, each with its own fields. target.go lists
// them in an order in which a part needs only those above it.
//
// Delve lives in a process of its own, this same binary started again (see
// package reexec): its Linux backend reaps every child of the process it runs in, and a
// crash in it must not take the screen along. The two speak Delve's JSON-RPC
// over a private socket pair. Below supervise, neither the
// server nor the target nor anything the target starts outlives this process.
//
// One operation at a time goes to the server, through one queue; only Halt and
// Close go past it, because they must work while the target runs.
package delve
