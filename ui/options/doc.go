// Package options holds what the screen is told when it starts: its terminal, its keys,
// its colors, and who can be asked. It must not know what is drawn.
package options
