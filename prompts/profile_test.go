package prompts_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/testsupport"
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

// write makes a file.
var write = testsupport.Write

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { write(t, filepath.Join(dir, name), text) }
	write("mine.md", "---\nname: whole-function\ndescription: mine\n---\n# User\nFix {{.Class}} in {{.Function}}: {{.Section \"stop\"}}\n")
	write("short.md", "# System\nS\n# User\nU\n")
	write("notes.txt", "not a profile")
	l, err := prompts.Load(filepath.Join(dir, "absent"), dir)
	if err != nil || !slices.Contains(l.Names(), "short") || l["whole-function"].Description != "mine" {
		t.Fatalf("%v, %v", l, err)
	}
	messages, err := prompts.Render(l["whole-function"], gather(t, nilMap(t), prompts.Options{}))
	if err != nil || len(messages) != 1 || !strings.HasPrefix(messages[0].Text, "Fix nil-map-write in example.com/index.(*Index).Add: Class") {
		t.Errorf("%v, %v", messages, err)
	}
	if _, err := l.Get("zzz"); err == nil || !strings.Contains(advice.Of(err), "short, ") {
		t.Errorf("%v", err)
	}
	write("bad.md", "---\ncolor: red\n---\n# User\nu\n")
	if _, err := prompts.Load(dir); err == nil || !strings.Contains(err.Error(), "bad.md:2: color: unknown key") {
		t.Errorf("%v", err)
	}
	write("twice.md", "---\ndescription: d\nname: short\n---\n# User\nu\n")
	l, errs := prompts.Scan(prompts.Dir{Path: dir, From: prompts.FromProject})
	if len(errs) != 2 || !strings.Contains(errs[1].Error(), `twice.md:3: name: "short" is the name of `) || l["short"].From != prompts.FromProject {
		t.Errorf("%v, %v", l, errs)
	}
}
