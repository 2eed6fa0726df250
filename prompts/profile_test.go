package prompts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/prompts"
)

func TestRedact(t *testing.T) {
	t.Setenv("MY_API_KEY", "correct-horse-battery")
	t.Setenv("SHORT_TOKEN", "abc")
	cases := map[string]bool{
		"value correct-horse-battery here": true,
		"abc":                              false,
		"ghp_abcdefghijklmnopqrstuvwxyz0123456789":                            true,
		"postgres://user:s3cretpw@db/x":                                       true,
		"Authorization: Bearer abcdefghijklmnop1234":                          true,
		"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----": true,
		`password := "hunter2hunter2"`:                                        true,
		`dbPassword string = "hunter2hunter2"`:                                true,
		"token := lexer.Next()":                                               false,
		"if tok == token.EOF { return }":                                      false,
		`http://localhost:8080/path`:                                          false,
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijk":                true,
	}
	for text, secret := range cases {
		got, n := prompts.Redact(text)
		if (n > 0) != secret || (got != text) != secret {
			t.Errorf("%q: %q, %d", text, got, n)
		}
		if again, m := prompts.Redact(got); m != 0 || again != got {
			t.Errorf("%q: redacted twice: %q", got, again)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("mine.md", "---\nname: whole-function\ndescription: mine\n---\n# User\nFix {{.Class}} in {{.Function}}: {{.Section \"stop\"}}\n")
	write("short.md", "# System\nS\n# User\nU\n")
	write("notes.txt", "not a profile")
	l, err := prompts.Load(filepath.Join(dir, "absent"), dir)
	if err != nil || strings.Join(l.Names(), " ") != "short whole-function" || l["whole-function"].Description != "mine" {
		t.Fatalf("%v, %v", l, err)
	}
	messages, err := prompts.Render(l["whole-function"], gather(t, nilMap(t), prompts.Options{}))
	if err != nil || len(messages) != 1 || !strings.HasPrefix(messages[0].Text, "Fix nil-map-write in example.com/index.(*Index).Add: Class") {
		t.Errorf("%v, %v", messages, err)
	}
	if _, err := l.Get("zzz"); err == nil || !strings.Contains(debugger.HintOf(err), "short, whole-function") {
		t.Errorf("%v", err)
	}
	bad := map[string]string{
		"---\nname: x\ncolour: red\n---\n# User\nu\n":     "bad.md:3: field colour not found",
		"---\nname: [\n---\n# User\nu\n":                  "bad.md:",
		"---\nname: x\n# User\nu\n":                       "bad.md:1: the front matter has no closing",
		"---\nname: x\n---\n\nhello\n":                    "bad.md:4: want the lines",
		"# System\ns\n":                                   "bad.md:1: the part \"# User\" is missing",
		"# User\na\n# User\nb\n":                          "bad.md:3: a second part",
		"# System\ns\n# User\nline\n{{.Oops}}\n":          "bad.md:5:2: executing",
		"# User\n{{range .Sections}}\n":                   "bad.md:",
		"# User\n\n{{range .Sections}}{{.Colour}}{{end}}": "bad.md:3:",
	}
	for text, want := range bad {
		write("bad.md", text)
		if _, err := prompts.Load(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
