// Package keymap defines the keys as data: one table of actions with their keys, help
// texts, and the reasons why they are disabled. Help overlay, command palette, bottom
// line and the README's table are made from it. It must not know how an action is carried
// out: a reason looks only at Facts.
package keymap

import (
	"fmt"
	"slices"
	"strings"
)

// Action names what a key does; the names are what the configuration uses.
type Action string

// Binding is one row of the table.
type Binding struct {
	Action Action
	Keys   []string // as Bubble Tea names them
	Help   string   // a phrase for help and palette: "step in"
	Short  string   // one to three words for the bottom line
	Group  string   // heading in the help overlay
	// Why says why the action can do nothing now; empty when it can.
	Why func(Facts) string
}

// Table is the bindings with their keys, in the order of the help overlay.
type Table struct {
	rows  []Binding
	byKey map[string]int
}

// New returns the table with some keys replaced: overrides maps an action to
// its key (several separated by spaces). It fails on unknown actions and on a
// key that two actions would share.
func New(overrides map[string]string) (Table, error) {
	t := Table{rows: slices.Clone(rows), byKey: map[string]int{}}
	for name, keys := range overrides {
		i := slices.IndexFunc(t.rows, func(b Binding) bool { return string(b.Action) == name })
		if i < 0 {
			return Table{}, fmt.Errorf("key for %q: no such action", name)
		}
		t.rows[i].Keys = strings.Fields(keys)
	}
	for i, b := range t.rows {
		b.Why = looking(b, t)
		t.rows[i].Why = past(b)
		for _, k := range b.Keys {
			if j, taken := t.byKey[k]; taken {
				return Table{}, fmt.Errorf("key %q is given to both %q and %q", k, t.rows[j].Action, b.Action)
			}
			t.byKey[k] = i
		}
	}
	return t, nil
}

// Rows returns all bindings in order.
func (t Table) Rows() []Binding { return t.rows }

// Groups are the headings of the help overlay, in order.
func (t Table) Groups() []string {
	var names []string
	for _, b := range t.rows {
		if !slices.Contains(names, b.Group) {
			names = append(names, b.Group)
		}
	}
	return names
}

// Find returns the binding of a key.
func (t Table) Find(key string) (Binding, bool) {
	i, ok := t.byKey[key]
	if !ok {
		return Binding{}, false
	}
	return t.rows[i], true
}

// Get returns the binding of an action; the zero Binding when there is none.
func (t Table) Get(a Action) Binding {
	for _, b := range t.rows {
		if b.Action == a {
			return b
		}
	}
	return Binding{}
}

// Key is how the first key of an action is written for people.
func (t Table) Key(a Action) string { return Label(t.Get(a).Keys) }

// Label writes the first of some keys for people.
func Label(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	switch keys[0] {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "pgup":
		return "page up"
	case "pgdown":
		return "page down"
	}
	return keys[0]
}
