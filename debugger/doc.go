// Package debugger defines what the rest of pausetui knows of a debugger: stops, panics,
// frames, variables, goroutines and breakpoints, as plain values.
//
// It knows neither Delve (debugger/delve does) nor models nor the screen. All
// values are safe to copy, to encode as JSON and to keep after the target has
// gone; nothing here reads the target.
package debugger
