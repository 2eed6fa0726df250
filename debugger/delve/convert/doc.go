// Package convert converts Delve's variables to the debugger package's: their text in one
// line, their children, and the expressions that they can be read by again. It says how
// much of a value is read at once.
package convert
