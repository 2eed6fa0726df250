// Package output keeps what the target prints: the head, a ring for the tail,
// and a count of what fell out in the middle, in bounded memory however much
// it prints. For a program that draws it emulates a terminal.
package output
