// Package source knows where the source of a target is on this machine: which files are
// the user's own, how the program was built, and what the syntax around a line says of
// variables that have no value yet.
package source
