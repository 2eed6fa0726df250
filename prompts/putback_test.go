package prompts_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/source/evidence"
)

// A model may write the mark of a secret where nothing tells that it is one. What is said of that
// fix does not say the secret, however short it is.
func TestASecretThatAFixMovesIsHidden(t *testing.T) {
	for _, secret := range []string{"Zx9q789", "hunter", "wort", "4711"} {
		src := "package m\n\nfunc F(x int) int {\n\tpassword := \"" + secret + "\"\n\treturn len(password) / x\n}\n"
		w := project(t, map[string]string{"go.mod": "module m\n", "m.go": src})
		c := hostile(t)
		c.Workspace, c.Attempts = w, nil
		c.Stop.Frames = []debugger.Frame{{Index: 0, Function: "m.F", User: true, File: w.Abs("m.go"), Line: 5, Loaded: true}}
		screen := prompts.NewScreen(redact.New(redact.Settings{}, nil))
		_, mark, ok := strings.Cut(screen.Plain(src), `password := "`)
		if mark, _, _ = strings.Cut(mark, `"`); !ok || !strings.HasPrefix(mark, "[redacted ") {
			t.Fatalf("%s is not hidden: %q", secret, mark)
		}
		list, err := screen.Candidates("Why.\n```go\nfunc F(x int) int {\n\tn := \"a"+mark+"z\"\n\treturn len(n) / x\n}\n```", c, patch.Source{})
		if err != nil || len(list) != 1 {
			t.Fatal(err)
		}
		after := list[0].Edits[0].After
		if !strings.Contains(after, "\"a"+secret+"z\"") {
			t.Fatalf("it is not put back: %s", after)
		}
		c.Attempts = []evidence.Attempt{{Title: "t", Diff: "+" + strings.ReplaceAll(after, "\n", "\n+"), Failure: "m.go:4: (constant \"a" + secret + "z\" of type string) is not used"}}
		asked := gather(t, c, prompts.Options{Screen: screen})
		for _, s := range asked.Sections {
			if strings.Contains(s.Text, secret) {
				t.Errorf("section %s: %s", s.Key, s.Text)
			}
		}
		if got, _ := screen.OfFix("found a" + secret + "z, expected ;"); strings.Contains(got, secret) {
			t.Error(got)
		}
	}
}
