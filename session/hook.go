package session

import (
	"fmt"
	"strings"
	"time"
)

// HookRan: a hook of the person's has run.
type HookRan struct {
	Hook    string        `json:"hook"` // the point: "before_apply"
	Name    string        `json:"name"` // the command
	Took    time.Duration `json:"took"`
	Refused string        `json:"refused,omitempty"` // why it refused what was about to happen
	Changed []string      `json:"changed,omitempty"` // what else it changed: "added House rules"
	Output  string        `json:"output,omitempty"`  // what it printed on standard error, bounded
	Err     string        `json:"err,omitempty"`     // why it failed
}

// Words say what the hook did, in a line.
func (h HookRan) Words() string {
	words := fmt.Sprintf("hook %s: %s", oneLine(h.Hook), oneLine(h.Name))
	switch {
	case h.Err != "":
		words += ": failed: " + oneLine(h.Err)
	case h.Refused != "":
		words += ": refused: " + oneLine(h.Refused)
	}
	if len(h.Changed) > 0 {
		words += ": " + oneLine(strings.Join(h.Changed, ", "))
	}
	return words
}
