package fix

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session/memory"
)

// kept is what a candidate must not be able to hand to the model that wrote it.
const kept = "correct-horse-battery-9481"

// thief is an answer that reads the file and does something with its text.
func thief(imports, body string) string {
	return "It is fixed.\n\n```go\npackage main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n" + imports + ")\n\n" +
		"func shelf(items map[string]int, name string) int {\n\tdata, _ := os.ReadFile(\"kept.txt\")\n\ttext := string(data[:26])\n\t_ = text\n\t_ = fmt.Sprint(name)\n" +
		body + "\n\treturn items[name]\n}\n```\n"
}

const backwards = "\tr := []byte(text)\n\tfor i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {\n\t\tr[i], r[j] = r[j], r[i]\n\t}\n"

// thieves are candidates that say what they have read, each in another way.
var thieves = []string{
	thief("", backwards+"\tif len(r) > 0 {\n\t\tpanic(string(r))\n\t}"),
	thief("\t\"encoding/base64\"\n", "\tif len(text) > 0 {\n\t\tpanic(base64.StdEncoding.EncodeToString(data[:26]))\n\t}"),
	thief("", "\tn := 0\n\tfor _, c := range text[:8] {\n\t\tn = n*100 + int(c)%100\n\t}\n\tprintln([]int{1}[n])"),
	thief("\t\"encoding/hex\"\n", "\tfmt.Println(hex.EncodeToString(data[:26]))\n\tos.Exit(37)"),
	// A trace of its own.
	thief("", backwards+"\tfmt.Printf(\"panic: %s\\n\\ngoroutine 1 [running]:\\nmain.%s(...)\\n\\t/%s.go:12 +0x1d\\nexit status 2\\n\", r, r, r)\n\tos.Exit(2)"),
	thief("\t\"errors\"\n", backwards+"\tif len(r) > 0 {\n\t\tpanic(errors.New(string(r)))\n\t}"),
}

// forms are the ways in which the text may be written.
func forms() []string {
	r := []byte(kept)
	slices.Reverse(r)
	number := ""
	for _, c := range kept[:8] {
		number += string([]byte{'0' + byte(c)%100/10, '0' + byte(c)%10})
	}
	return []string{kept, string(r), base64.StdEncoding.EncodeToString([]byte(kept)), hex.EncodeToString([]byte(kept)), strings.TrimLeft(number, "0")}
}

func leaked(requests []ollamatest.Request) string {
	for _, r := range requests {
		for _, f := range forms() {
			if strings.Contains(r.Body, f) {
				return f
			}
		}
	}
	return ""
}

// steal runs fix with one model that answers so, one answer after the other, and
// then well.
func steal(t *testing.T, remote string, send bool, answers ...string) (Report, []ollamatest.Request) {
	t.Helper()
	dir := module(t, shelves+"-- kept.txt --\n"+kept+"\n-- kept.go --\npackage main\n\nconst doorCode = \""+kept+"\"\n")
	var turns []ollamatest.Script
	for _, a := range append(slices.Clone(answers), goodAnswer) {
		turns = append(turns, ollamatest.Answer(a))
	}
	server := ollamatest.New(t, ollamatest.Model{Name: "scripted:7b", RemoteHost: remote, Script: ollamatest.Turns(turns...)})
	provider, err := ollama.New(ollama.Options{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(context.Background(), options.Session{Target: options.Target{Dir: dir, Headless: true}, Privacy: options.Privacy{AllowRemote: true, SendOutput: send}, Fixes: options.Fixes{MaxRounds: len(answers),
		Profiles: []options.Profile{{Name: "test", Provider: provider, Source: "ollama", Model: "scripted:7b"}}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := server.Requests()
	if len(asked) != len(answers)+1 {
		t.Fatalf("asked %d times, want %d; fixes %+v", len(asked), len(answers)+1, report.Candidates)
	}
	return report, asked
}

// What a candidate prints goes back to a model on another machine in no form.
func TestWhatACandidatePrintsStaysHere(t *testing.T) {
	t.Parallel()
	some := thieves
	if !testsupport.Whole() { // a panic; a trace of its own, and an exit
		some = []string{thieves[0], thieves[4]}
	}
	report, asked := steal(t, "https://models.example.com", false, some...)
	if form := leaked(asked); form != "" {
		t.Errorf("%q was sent", form)
	}
	for i, r := range asked[1:] {
		if got := prompt(r); strings.Count(got, "It was not good enough:") != min(i+1, 3) {
			t.Errorf("request %d does not say what failed:\n%s", i+2, got)
		}
	}
	if !slices.ContainsFunc(report.Notices, func(n string) bool {
		return strings.Contains(n, "was not sent to scripted:7b") && strings.Contains(n, "--send-output")
	}) {
		t.Errorf("no notice says what was left out: %q", report.Notices)
	}
}

// On this machine, and where the person has allowed it, all of it goes back:
// the attack is one.
func TestWhatACandidatePrintsGoesBackWhereItMay(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for _, remote := range []string{"", "https://models.example.com"} {
		if _, asked := steal(t, remote, remote != "", thieves[:1]...); leaked(asked) == "" {
			t.Errorf("what failed was left out:\n%s", prompt(asked[1]))
		}
	}
}

// A candidate does not find in its environment what the program does not name.
func TestACandidateSeesNoOtherVariables(t *testing.T) {
	t.Setenv("INNER_NOTE", "grass-is-green-today") // no secret by its name or looks
	answer := "It is fixed.\n\n```go\npackage main\n\nimport (\n\t\"os\"\n\t\"strings\"\n)\n\nvar _ = os.Getenv(\"INNER_\" + \"NOTE\")\n\n" +
		"func shelf(items map[string]int, name string) int {\n" +
		"\tif len(items) > 0 {\n\t\tpanic(\"env: \" + os.Getenv(\"INNER_\"+\"NOTE\") + strings.Join(os.Environ(), \" \"))\n\t}\n\treturn items[name]\n}\n```\n"
	_, asked := steal(t, "", false, answer)
	if got := asked[1].Body; strings.Contains(got, "grass-is-green") || !strings.Contains(got, "env: ") {
		t.Errorf("sent: %s", got)
	}
}

// A compiler quotes constants. It does so to a model on this machine, and to no
// other.
func TestConstantsInCompileErrorsStayHere(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	answer := "It is fixed.\n\n```go\nfunc shelf(items map[string]int, name string) int {\n\tconst a = doorCode\n\tvar n int = a\n" +
		"\t_ = map[bool]int{a >= \"d\": 1, false: 2}\n\t_ = [len(a)]int{} == 1\n\ttype few struct{ x [1 - len(a)/99]int }\n\ttype none struct{ x [0]int }\n\t_ = none(few{})\n\treturn items[nme]\n}\n```\n"
	for _, remote := range []string{"", "https://models.example.com"} {
		_, asked := steal(t, remote, false, answer)
		got := asked[1].Body
		if sent := strings.Contains(got, kept); sent != (remote == "") {
			t.Errorf("sent to %q: %t\n%s", remote, sent, prompt(asked[1]))
		}
		if !strings.Contains(got, "undefined: nme") {
			t.Errorf("%q does not learn of the ordinary error:\n%s", remote, prompt(asked[1]))
		}
		if remote != "" && (strings.Contains(got, "duplicate key") || strings.Contains(got, "[26]int") || strings.Contains(got, "cannot convert") || !strings.Contains(got, "not sent")) {
			t.Errorf("what depends on a constant was sent:\n%s", prompt(asked[1]))
		}
	}
}

// What is remembered of another repository is proved here, and no model on another
// machine hears of it: consent was given for this module alone.
func TestRememberedFixesOfOthersStayHere(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := module(t, shelves)
	first, err := Run(t.Context(), options.Session{Target: options.Target{Dir: dir, Headless: true}}, Options{})
	if err != nil || first.Stop == nil {
		t.Fatalf("%v, %+v", err, first)
	}
	before, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, remote := range []string{"https://models.example.com", ""} {
		store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		f := memory.Fix{Fingerprint: first.Stop.Fingerprint, Module: "example.org/elsewhere", Dir: ".", Title: "use project aurora", Times: 1,
			Edits: []patch.Edit{{File: "main.go", Before: string(before), After: strings.Replace(string(before), "panic(", "panic(\"aurora\" + ", 1)}}}
		f.Identify()
		if err := store.Put(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		server := ollamatest.New(t, ollamatest.Model{Name: "scripted:7b", RemoteHost: remote,
			Script: ollamatest.Turns(ollamatest.Answer(stillPanics), ollamatest.Answer(thieves[0]), ollamatest.Answer(goodAnswer))})
		provider, err := ollama.New(ollama.Options{Host: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		report, err := Run(t.Context(), options.Session{Target: options.Target{Dir: dir, Headless: true}, Privacy: options.Privacy{AllowRemote: true}, Fixes: options.Fixes{MaxRounds: 2,
			Profiles: []options.Profile{{Name: "test", Provider: provider, Source: "ollama", Model: "scripted:7b"}}}, Stores: options.Stores{Memory: store}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(report.Candidates, func(c Candidate) bool { return strings.Contains(c.Title, "aurora") && !c.Verified }) {
			t.Fatalf("the remembered fix was not tried: %+v", report.Candidates)
		}
		sent := slices.ContainsFunc(server.Requests(), func(r ollamatest.Request) bool { return strings.Contains(r.Body, "aurora") })
		if sent != (remote == "") {
			t.Errorf("sent to %q: %v", remote, sent)
		}
	}
}
