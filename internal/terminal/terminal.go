// Package terminal gives a screen the person's own terminal and restores it in the
// end. If the screen's process dies, a guard process restores it. The package knows
// nothing of what is drawn.
package terminal
