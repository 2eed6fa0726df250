package keymap

import "testing"

func TestKeysAreChecked(t *testing.T) {
	for _, c := range []struct {
		overrides map[string]string
		want      []Mistake
	}{
		{map[string]string{"continue": "f5", "next": "f10 n", "zoom": "ctrl+alt+z", "help": "ü"}, nil},
		{map[string]string{"continue": "n", "next": "c"}, nil}, // they change places
		{map[string]string{"continue": "n"}, []Mistake{{"continue", `the key "n" does "next" already`, ""}}},
		{map[string]string{"continue": "Ctrl-Z"}, []Mistake{{"continue", `"Ctrl-Z" is no key; want one such as "x", "ctrl+x", "f5" or "pgup"`, "ctrl+z"}}},
		{map[string]string{"help": "Escape2"}, []Mistake{{"help", `"Escape2" is no key; want one such as "x", "ctrl+x", "f5" or "pgup"`, ""}}},
		{map[string]string{"help": "f1", "zoom": "f1"}, []Mistake{{"zoom", `the key "f1" does "help" already`, ""}}},
	} {
		got := Check(c.overrides)
		if len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%v: %+v, want %+v", c.overrides, got, c.want)
		}
	}
	for key, near := range map[string]string{"PageUp": "pgup", "shift+ctrl+x": "ctrl+shift+x", "Return": "enter", "C-x": "ctrl+x", "ctrl++": "ctrl++", "F5": "f5"} {
		if got, _ := keyName(key); got != near {
			t.Errorf("%q is read as %q, want %q", key, got, near)
		}
	}
	names := map[Action]bool{}
	for _, b := range rows { // the table itself
		if names[b.Action] {
			t.Errorf("two actions are called %q", b.Action)
		}
		names[b.Action] = true
		for _, k := range b.Keys {
			if near, ok := keyName(k); !ok {
				t.Errorf("%s: %q should be %q", b.Action, k, near)
			}
		}
	}
}
