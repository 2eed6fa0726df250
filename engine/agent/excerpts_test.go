package agent

import (
	"fmt"
	"strings"
	"testing"
)

const guarded = `
-- go.mod --
module example.com/guarded

go 1.26
-- main.go --
package main

func check(password string) bool {
	switch password {
	case "pl0ver",
		"wr3n!!":
		return true
	}
	return false
}

var users = map[string]struct {
	name, password string
}{
	"a": {
		"alice",
		"st0nechat",
	},
}

var longPassword = ` + "`first line\nsecond line\nthird line`" + `

var last = 1

func main() { check("x") }
`

// Whatever part of a file is shown: what says that something is a secret may be in another one.
func TestExcerptsHideWhatTheWholeFileDoes(t *testing.T) {
	c, _ := paused(t, guarded)
	c.Stop.Frames = nil
	tools := New(c, screen())
	hidden := func(got string) {
		t.Helper()
		for _, secret := range []string{"pl0ver", "wr3n", "st0nechat", "first line", "second line", "third line"} {
			if strings.Contains(got, secret) {
				t.Errorf("%q is left in %s", secret, got)
			}
		}
	}
	all := ""
	for from := 1; from <= 27; from++ {
		for _, to := range []int{from, from + 3, 27} {
			got, err := tools.Call(t.Context(), call(Source, "of", fmt.Sprintf("main.go:%d-%d", from, min(to, 27))))
			if err != nil {
				t.Fatal(err)
			}
			hidden(got)
			all = got
		}
	}
	if !strings.Contains(all, "27\tfunc main()") {
		t.Errorf("line 27 is %s", all)
	}
	for _, looked := range []string{"check", "users", "longPassword"} {
		got, err := tools.Call(t.Context(), call(Source, "of", "main."+looked))
		if err != nil || !strings.Contains(got, "[redacted ") && looked != "users" {
			t.Errorf("%s: %s (%v)", looked, got, err)
		}
		hidden(got)
		if got, err = tools.Call(t.Context(), call(Find, "identifier", looked)); err != nil {
			t.Error(err)
		}
		hidden(got)
	}
	got, err := tools.Call(t.Context(), call(Source, "of", "main.go:21-25"))
	if err != nil || !strings.Contains(got, "\n21\tvar longPassword = `[redacted ") || strings.Contains(got, "\n22\t") || !strings.Contains(got, "\n25\tvar last = 1") {
		t.Errorf("%s (%v)", got, err)
	}
}
