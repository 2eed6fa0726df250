// Package output keeps what the target prints: the head, a ring for the tail,
// and a count of what fell out in the middle, in bounded memory however much
// it prints. For a program that draws it emulates a terminal. Lines are
// kept as they came, untrusted: what shows them cleans them. The package must not
// know whose output it is.
package output
