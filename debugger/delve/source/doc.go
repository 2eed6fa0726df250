// Package source finds the source of a target on this machine: which files are the user's
// own, how the program was built, and what the syntax around a line says of variables
// that have no value yet.
package source
