// Package memory reads a target's memory: single pieces and many at once, past Delve
// where the kernel allows that, else through Delve as fast as its protocol allows.
package memory
