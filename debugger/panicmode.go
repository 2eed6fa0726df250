package debugger

import "fmt"

// PanicMode says which panics stop the target.
type PanicMode string

// The modes. Fatal errors of the runtime stop it in all of them but PanicsOff.
const (
	// PanicsAuto: those that are not recovered, and those that a server recovers
	// so that it can answer the next request.
	PanicsAuto PanicMode = "auto"
	// PanicsUnrecovered: those that are not recovered.
	PanicsUnrecovered PanicMode = "unrecovered"
	// PanicsAll: each, where it begins.
	PanicsAll PanicMode = "all"
	// PanicsFatal: none, only fatal errors of the runtime.
	PanicsFatal PanicMode = "fatal"
	// PanicsOff: nothing at all.
	PanicsOff PanicMode = "off"
)

// PanicModes lists the modes in the order they are explained.
var PanicModes = []PanicMode{PanicsAuto, PanicsUnrecovered, PanicsAll, PanicsFatal, PanicsOff}

// ParsePanicMode reads the name of a mode; the empty name is PanicsAuto.
func ParsePanicMode(name string) (PanicMode, error) {
	if name == "" {
		return PanicsAuto, nil
	}
	for _, m := range PanicModes {
		if string(m) == name {
			return m, nil
		}
	}
	return "", fmt.Errorf("no such mode of stopping at panics: %q (want one of %v)", name, PanicModes)
}
