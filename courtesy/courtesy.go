// Package courtesy has what goes on in the background give way to the person at
// the keyboard: proofs, which run in sessions of their own, and work of this
// process that nobody waits for. It changes priorities only; where the system
// has none to change, nothing happens.
package courtesy
