package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestSessionsAreExported(t *testing.T) {
	t.Parallel()
	dir := keptLogs(t)
	for _, tt := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"20261123-114836"}, "<!doctype html>", 0},
		{[]string{"latest", "--format", "markdown"}, "class: deadlock", 0},
		{[]string{"--format", "json"}, `"kind":"started"`, 0},
		{[]string{"--format", "pdf"}, "formats: html, markdown, json", 1},
		{[]string{"nothing"}, "there is no such session", 1},
	} {
		stdout, stderr, code := run(t, dir, append([]string{"sessions", "export"}, tt.args...)...)
		if code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
			t.Errorf("%q: exit %d: %.500s%s", tt.args, code, stdout, stderr)
		}
	}
	file := filepath.Join(dir, "crash.html")
	if stdout, stderr, code := run(t, dir, "sessions", "export", "20261123-114836", "-o", file); code != 0 || stdout != "" {
		t.Errorf("exit %d: %.500s%s", code, stdout, stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "make bySupplier in NewInventory") {
		t.Errorf("%v: %.500s", err, text)
	}
}

func TestSessionsServeOnlyThisMachine(t *testing.T) {
	t.Parallel()
	dir := keptLogs(t)
	if _, stderr, code := run(t, dir, "sessions", "serve", "--addr", "0.0.0.0:0"); code != 1 || !strings.Contains(stderr, "not an address of this machine alone") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestExportsHideSecrets: what a target printed or was given is hidden in every
// format, and the rest is there.
func TestExportsHideSecrets(t *testing.T) {
	t.Parallel()
	dir := keptLogs(t)
	const secret = "ghp_" + "x9Kq2mVb7LpZr4Tn8WsYc3HdJf6GaQeU1oRi"
	journal := filepath.Join(dir, "debug", "20261123-114836-nil-map-write.jsonl")
	text := get(t, journal)
	changed := strings.Replace(text, "assignment to entry in nil map", `assignment with \"token\": \"`+secret+`\" in it`, 1)
	variable := regexp.MustCompile(`\{"name":"[\w\[\]]*",("expr":"[^"]*",)?"type":"string","kind":24,"value":"[^"]*"`).FindString(changed)
	const named = "meadowlark" // known as a secret by its name alone
	changed = strings.Replace(changed, variable, `{"name":"password","type":"string","kind":24,"value":"`+named+`"`, 1)
	if changed == text || variable == "" {
		t.Fatal("the journal is another one")
	}
	if err := os.WriteFile(journal, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"html", "markdown", "json"} {
		stdout, stderr, code := run(t, dir, "sessions", "export", "20261123-114836", "--format", format)
		if code != 0 || strings.Contains(stdout, secret) || !strings.Contains(stdout, "assignment with") || !strings.Contains(stdout, "make bySupplier in NewInventory") {
			t.Errorf("%s: exit %d, secret %v: %.300s%s", format, code, strings.Contains(stdout, secret), stdout, stderr)
		}
		if strings.Contains(stdout, named) {
			t.Errorf("%s shows what is called password", format)
		}
		if format == "json" && strings.Count(stdout, "\n") != strings.Count(changed, "\n") {
			t.Errorf("%d events of %d", strings.Count(stdout, "\n"), strings.Count(changed, "\n"))
		}
	}
	if stdout, _, _ := run(t, dir, "sessions", "show", "20261123-114836"); !strings.Contains(stdout, secret) {
		t.Error("show hides what is this person's own")
	}
}
