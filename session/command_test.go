package session

import "testing"

// The command in a log can be pasted into a shell.
func TestTheCommandIsQuoted(t *testing.T) {
	b := &Started{Package: "./cmd/app", Args: []string{"-run", "A|B", "it's", ""}, Stdin: "in put", Repro: "curl x"}
	if got, want := command(b), `pausetui debug --repro 'curl x' ./cmd/app -- -run 'A|B' 'it'\''s' '' < 'in put'`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
