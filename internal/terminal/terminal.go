// Package terminal takes over the person's terminal for the screen, and restores it in
// the end. If the screen's process dies, a guard process restores it. The package knows
// nothing of what is drawn.
package terminal
