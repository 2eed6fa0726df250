package review

import (
	"strings"
	"testing"
)

// A field that other code has set to nil is not filled again without a question.
func TestAFieldThatWasSetToNilIsNotFilledAgain(t *testing.T) {
	const code = `package p

type relay struct {
	clients map[int]string
	names   map[string]int
}

func (r *relay) close() { r.clients = nil }

func (r *relay) reset() { r.clients = map[int]string{} }

func (r *relay) add(s string) {
	FIX
	r.clients[len(s)] = s
	r.names[s]++
}
`
	with := func(fix string) map[string]string {
		return map[string]string{"r.go": strings.Replace(code, "FIX", fix, 1)}
	}
	for fix, want := range map[string]string{
		"if r.clients == nil {\n\t\tr.clients = map[int]string{}\n\t}": "fills r.clients again, which (*relay).close sets to nil (r.go:8)",
		"if r.names == nil {\n\t\tr.names = map[string]int{}\n\t}":     "",
		"r.clients = nil": "",
		"":                "",
	} {
		if got := Refilled(with(""), with(fix)); got != want {
			t.Errorf("%q: %q, want %q", fix, got, want)
		}
	}
}
