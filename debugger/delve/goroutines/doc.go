// Package goroutines lists the goroutines of a target by the hundred thousand: it reads
// the runtime's structures in bulk, groups goroutines by their stacks, and says what they
// wait for and how they are labeled. Where memory cannot be read it uses Delve's listing.
//
// The structures are read at the offsets that the target's debug information gives. The
// frame pointers are followed through the used parts of the stacks, and the return
// addresses hashed into a signature; Delve describes one goroutine of each signature.
// Pages are read in the background, and what the person looks at is read first. Figures
// are in docs/decisions/goroutines-from-memory.md.
package goroutines
