// Package goroutines lists the goroutines of a target by the hundred thousand: it reads
// the runtime's structures in bulk, groups goroutines by their stacks, and says what
// they wait for and how they are labeled. Where memory cannot be read it uses Delve's
// listing.
package goroutines
