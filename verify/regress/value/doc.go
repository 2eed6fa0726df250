// Package value reads values of a paused target into graphs that can be written
// as Go source.
//
// It only says what a value is and how it can be made again; it knows neither
// tests nor files (package regress does) nor how a graph is laid out as text
// (package regress/literal does). What cannot be made again is refused with a
// Refusal, never guessed.
package value
