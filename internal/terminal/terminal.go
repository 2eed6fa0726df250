// Package terminal takes the person's own terminal for a screen and gives it back:
// a guard restores it when the screen dies. It knows nothing of what is drawn.
package terminal
