package hide

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The rows of what a fix changes hold values of the run, written as source: a key among them is
// not exported, whatever it is wrapped in.
func TestKeysAmongAnswersAreNotExported(t *testing.T) {
	screen := prompts.NewScreen(redact.New(redact.Settings{}, nil))
	for _, key := range []string{
		`&rsa.PrivateKey{PublicKey: rsa.PublicKey{E: 65537}, D: &big.Int{abs: big.nat{big.Word(9071)}}}`, `ed25519.PrivateKey("9071")`,
		`box[rsa.PrivateKey]{v: 9071}`, `PrivateKey{n: 9071}`, `holder{in: map[string]*ecdsa.PrivateKey{"9071": &ecdsa.PrivateKey{}}}`,
		`[]byte("9071\\x01\\xfe")`, `&big.Int{abs: big.nat{big.Word(9071)}}`,
	} {
		for _, row := range []verdict.BehaviorRow{{Input: "sign(" + key + ")", Before: "panics: x", After: "returns 1"}, {Input: "sign(1)", Before: "returns " + key, After: "returns 1"},
			{Input: "sign(1)", Before: "panics: x", After: "returns " + key}} {
			row.Whole = &verdict.WholeRow{Input: row.Input, Before: row.Before, After: row.After}
			b := &session.Compared{Behavior: verdict.Behavior{Tried: 1, Changed: 1, Apart: []verdict.Apart{{Input: row.Input, There: row.Before, Here: row.After}}, Detail: "changes 1 answer: " + row.Input + " " + row.Before + ", now " + row.After, Rows: []verdict.BehaviorRow{row}}}
			hidden := hideValues(b, screen)
			if text := b.Behavior.Detail + fmt.Sprintf("%+v %+v %+v", b.Behavior.Rows, *b.Behavior.Rows[0].Whole, b.Behavior.Apart); !hidden || strings.Contains(text, "9071") {
				t.Errorf("%s: %s", key, text)
			}
		}
	}
	b := &session.Compared{Behavior: verdict.Behavior{Detail: "same on 1 input", Rows: []verdict.BehaviorRow{{Input: `Index([]int{1}, 3)`, Before: "panics: index out of range", After: "returns 0"}}}}
	if hideValues(b, screen) {
		t.Errorf("hidden: %+v", b)
	}
}

// What a run has seen of a value holds others, as texts: they are not exported.
func TestSeenValuesAreNotExported(t *testing.T) {
	screen := prompts.NewScreen(redact.New(redact.Settings{Names: []string{"zip"}}, nil))
	value := `main.user{zip: "some9071town", Password: 90719071}`
	h := evidence.History{Expr: "a", Value: value, Rows: []evidence.HistoryRow{{Kind: "passed", Value: value, Text: "return u", Function: "load", File: "main.go", Line: 3}}}
	b := &session.Diagnosed{Diagnosis: evidence.Diagnosis{Expr: "a", Observed: h.Sentence(), History: &h}}
	if text := fmt.Sprintf("%+v", h); !strings.Contains(text, "9071") {
		t.Fatal(text)
	}
	if hidden := hideValues(b, screen); !hidden || strings.Contains(fmt.Sprintf("%+v %+v", b, *b.Diagnosis.History), "9071") || b.Diagnosis.Observed != "a is a main.user: load returned a main.user (main.go:3)" {
		t.Errorf("%v: %+v %+v", hidden, b, *b.Diagnosis.History)
	}
}

// The source that a journal holds is read as Go, as in a prompt: what goes by the name of a secret
// there is hidden, also where it is too short to be looked for elsewhere.
func TestTheSourceInAJournalIsReadAsGo(t *testing.T) {
	source := "package main\n\nfunc check(password string) bool {\n\tswitch password {\n\tcase \"plumtree\":\n\t\treturn true\n\t}\n\treturn \"kiwi\" == password || login(\"bob\", \"fig-tree\")\n}\n\nfunc login(user, password string) bool { return user == \"someone\" }\n"
	body := map[string]any{"file": "main.go", "before": source, "after": strings.Replace(source, "true", "false", 1), "fingerprint": "0123456789abcdef"}
	line, err := json.Marshal(map[string]any{"seq": 1, "kind": "unknown", "body": body})
	if err != nil {
		t.Fatal(err)
	}
	got := Journal(string(line)+"\n", prompts.NewScreen(redact.New(redact.Settings{}, nil)))
	for _, secret := range []string{"plumtree", "kiwi", "fig-tree"} {
		if strings.Contains(got, secret) {
			t.Errorf("%s is left in %s", secret, got)
		}
	}
	var e struct{ Body map[string]string }
	if err := json.Unmarshal([]byte(got), &e); err != nil || e.Body["fingerprint"] != "0123456789abcdef" || !strings.Contains(e.Body["after"], "return false") || !strings.Contains(e.Body["before"], `"someone"`) {
		t.Errorf("%v: %s", err, got)
	}
}
