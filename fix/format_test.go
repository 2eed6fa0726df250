package fix

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// sample is a report with text that would be markup or a command if it were not escaped.
func sample() Report {
	edits := []patch.Edit{
		{File: "a b/x.go", Before: "one\ntwo\nthree\nfour", After: "one\n2\nthree\nfour\nfive 𝄞"},
		{File: "new.go", Create: true, After: "package x\n"},
		{File: "gone.go", Before: "package y\n"},
	}
	c := Candidate{ID: "c1", Model: "m|x", Title: "Make `@all` | <b>", Explanation: "Because\n::error::no", Verified: true, Rank: 1,
		Diff: patch.Candidate{Edits: edits}.Diff(), edits: edits, badge: "✓ tests 3"}
	s := Stop{Class: "nil-map-write", Message: "boom\n::warning::x ```", Function: "main.(*T).Add", File: "a b/x.go", Line: 2, Goroutine: 1, Fingerprint: "f1",
		Block: &Block{ID: "import/sum", Intent: "Sum"}}
	r := Report{Version: 1, Outcome: Verified, Stops: []Stop{s}, Candidates: []Candidate{c}, Diagnosis: "the map is nil"}
	r.Stop = &r.Stops[0]
	return r
}

// The schema is that of the OASIS standard.
func TestSARIFFitsItsSchema(t *testing.T) {
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	schema.Schema = "http://json-schema.org/draft-07/schema#" // what it uses of draft 4 means the same there
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	validate := func(text []byte) error {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
		return resolved.Validate(v)
	}
	failed := Report{Outcome: Failed, Error: &Failure{Message: "no package"}}
	for _, r := range []Report{sample(), failed} {
		var out bytes.Buffer
		if err := Write(&out, "sarif", r); err != nil {
			t.Fatal(err)
		}
		if err := validate(out.Bytes()); err != nil {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
	if validate([]byte(`{"version":"2.1.0","runs":[{"tol":1}]}`)) == nil {
		t.Error("the schema takes anything")
	}
}

// The fixes change the files as the candidate does.
func TestSARIFFixesAreTheCandidate(t *testing.T) {
	r := sample()
	fixes := newSARIF(r).Runs[0].Results[0].Fixes
	if len(fixes) != 1 || len(fixes[0].Changes) != 3 || fixes[0].Changes[0].Artifact.URI != "a%20b/x.go" {
		t.Fatalf("%+v", fixes)
	}
	for i, e := range r.Candidates[0].edits {
		if got := replace(e.Before, fixes[0].Changes[i].Replacements); got != e.After {
			t.Errorf("%s becomes %q, want %q", e.File, got, e.After)
		}
	}
}

// replace carries out replacements, from the last to the first.
func replace(text string, list []sarifReplacement) string {
	lines := strings.SplitAfter(text, "\n")
	offset := func(line, column int) int {
		at := 0
		for i := range line - 1 {
			at += len(lines[i])
		}
		return at + column - 1 // of ASCII
	}
	for i := len(list) - 1; i >= 0; i-- {
		d := list[i].Deleted
		inserted := ""
		if list[i].Inserted != nil {
			inserted = list[i].Inserted.Text
		}
		text = text[:offset(d.StartLine, d.StartColumn)] + inserted + text[offset(d.EndLine, d.EndColumn):]
	}
	return text
}

func TestAnnotationsAreSingleCommands(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, "github", sample()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "::error file=a b/x.go,line=2,title=nil-map-write::boom%0A::warning") || !strings.HasPrefix(lines[1], "::notice file=") {
		t.Errorf("%q", lines)
	}
}

func TestMarkdownIsNoMarkupOfTheProgram(t *testing.T) {
	var out bytes.Buffer
	r := sample()
	r.Candidates[0].Diff = strings.Repeat("+x\n", 100_000)
	if err := Write(&out, "markdown", r); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, bad := range []string{"<b>", "@all", "m|x "} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in it:\n%s", bad, text)
		}
	}
	if len(text) > maxComment || !strings.Contains(text, "too long") || !strings.Contains(text, "````\n  boom") {
		t.Errorf("%d bytes:\n%.2000s", len(text), text)
	}
}

func TestPatchIsTheBestCandidate(t *testing.T) {
	var out bytes.Buffer
	r := sample()
	if err := Write(&out, "patch", r); err != nil || out.String() != r.Candidates[0].Diff {
		t.Errorf("%v: %s", err, out.String())
	}
	out.Reset()
	r.Candidates[0].Verified = false
	if err := Write(&out, "patch", r); err != nil || out.Len() > 0 {
		t.Errorf("%v: %s", err, out.String())
	}
}

// TestAFileIsNoScheme: the name of a directory does not make a link of another kind.
func TestAFileIsNoScheme(t *testing.T) {
	for file, want := range map[string]string{
		"javascript:alert(1).go":   "javascript%3Aalert%281%29.go",
		"https:/evil.example/x.go": "https%3A/evil.example/x.go",
		"./a:b/c:d.go":             "a%3Ab/c:d.go",
		"a/b.go":                   "a/b.go",
	} {
		got := artifact(file)
		u, err := url.Parse(got.URI)
		if err != nil || u.Scheme != "" || u.Host != "" || strings.ReplaceAll(strings.ReplaceAll(got.URI, "(", "%28"), ")", "%29") != want {
			t.Errorf("%q: %q, %v; want %q", file, got.URI, err, want)
		}
	}
}

// A comment has the inputs on which the fix answers differently, none of which is markup.
func TestACommentShowsWhatAFixChanges(t *testing.T) {
	r := sample()
	r.Candidates[0].Behavior = &verdict.Behavior{Status: verdict.Warn, Tried: 4, Same: 3, Changed: 1,
		Rows: []verdict.BehaviorRow{{Kind: verdict.RowChanged, Input: "f(`@all` | 1)", Before: "returns <b>", After: "panics: x\n| y |", Run: true}}}
	var out bytes.Buffer
	if err := Write(&out, "markdown", r); err != nil {
		t.Fatal(err)
	}
	want := "\n**What this changes:** ⚠ changes 1 answer\n\n| input | before | now |\n| --- | --- | --- |\n" +
		"| f(\\`@\u200ball\\` \\| 1) (of this run) | returns &lt;b&gt; | ⚠ panics: x \\| y \\| |\n\n4 inputs tried: 3 answered the same, 1 changed.\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
}

// A reader of a comment has no log: beside what does not count is why.
func TestACommentSaysWhyAFixDoesNotCount(t *testing.T) {
	r := sample()
	r.Outcome = Unverified
	c := &r.Candidates[0]
	c.Verified, c.badge = false, ""
	c.Checks = []Check{{Name: verdict.Build, Status: verdict.Pass}, {Name: verdict.Rerun, Status: verdict.Fail, Detail: "the same panic again\nmore"}}
	for format, want := range map[string]string{"markdown": "| ✗ rerun: the same panic again |", "github": "✗ rerun: the same panic again"} {
		var out bytes.Buffer
		if err := Write(&out, format, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: no %q in\n%s", format, want, out.String())
		}
	}
	r.Candidates = nil
	for _, format := range []string{"markdown", "github"} {
		var out bytes.Buffer
		if err := Write(&out, format, r); err != nil || !strings.Contains(out.String(), "nothing could be verified: nothing was proposed") {
			t.Errorf("%s, without a fix: %v\n%s", format, err, out.String())
		}
	}
}
