// Package delve runs a program under Delve and says in the debugger package's
// plain values what it sees. Only it and the packages below it import Delve: those are
// the parts that a Target consists of, and what they stand on.
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
