package session

import "testing"

// The command in a log can be pasted into a shell.
func TestTheCommandIsQuoted(t *testing.T) {
	b := &Started{Package: "./cmd/app", Args: []string{"-run", "A|B", "it's", ""}, Stdin: "in put", Repro: "curl x"}
	if got, want := command(b), `pausetui debug --repro 'curl x' ./cmd/app -- -run 'A|B' 'it'\''s' '' < 'in put'`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A log of fix names fix.
func TestTheCommandNamesFix(t *testing.T) {
	for want, b := range map[string]*Started{
		"pausetui fix ./a":                   {Fix: true, Package: "./a"},
		"pausetui fix --test ./a":            {Fix: true, Test: true, Package: "./a"},
		"pausetui fix --nth 2 --trace a.log": {Fix: true, Mode: LaunchMode{Kind: ModeTrace, Trace: &Trace{File: "a.log", Number: 2, Of: 3}}},
		"pausetui fix --trace 'my log.txt'":  {Fix: true, Mode: LaunchMode{Kind: ModeTrace, Trace: &Trace{File: "my log.txt", Number: 1, Of: 1}}},
		"pausetui trace --nth 2 'a;b'":       {Mode: LaunchMode{Kind: ModeTrace, Trace: &Trace{File: "a;b", Number: 2, Of: 3}}},
		"pausetui trace -":                   {Mode: LaunchMode{Kind: ModeTrace}},
		"pausetui exec './a b'":              {Mode: LaunchMode{Kind: ModeExec, Binary: "./a b"}},
		"pausetui core './a b' '$(c)'":       {Mode: LaunchMode{Kind: ModeCore, Binary: "./a b", Core: "$(c)"}},
		"pausetui connect 'unix:/a b'":       {Mode: LaunchMode{Kind: ModeConnect, Addr: "unix:/a b"}},
		"pausetui test ./a":                  {Test: true, Package: "./a"},
	} {
		if got := command(b); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
