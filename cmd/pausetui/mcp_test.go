package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/internal/testsupport"
)

const madeMap = `package main

type index struct{ terms map[string]int }

func (x *index) add(term string) {
	x.terms[term]++
}

func main() {
	x := &index{terms: map[string]int{}}
	x.add("go")
}
`

// agent starts pausetui mcp with the SDK's client.
func agent(t *testing.T, dir string, args ...string) *mcp.ClientSession {
	t.Helper()
	return agentOf(t, dir, nil, args...)
}

// agentOf is agent with a client's own abilities.
func agentOf(t *testing.T, dir string, o *mcp.ClientOptions, args ...string) *mcp.ClientSession {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, append([]string{"mcp"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), asMain+"=1", "PWD="+dir, stateHome(t))
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// call calls a tool; ok is false when it refused.
func call(t *testing.T, s *mcp.ClientSession, name string, args map[string]any) (text string, ok bool) {
	t.Helper()
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, c := range r.Content {
		if words, is := c.(*mcp.TextContent); is {
			text += words.Text
		}
	}
	return text, !r.IsError
}

// atCrash waits until the program is held at its crash.
func atCrash(t *testing.T, s *mcp.ClientSession) {
	t.Helper()
	testsupport.Eventually(t, "it stops with a diagnosis", func() bool {
		var st struct{ Phase, Diagnosis string }
		text, _ := call(t, s, "status", nil)
		if err := json.Unmarshal([]byte(text), &st); err != nil {
			t.Fatalf("status %q: %v", text, err)
		}
		return st.Phase == "stopped" && st.Diagnosis != ""
	})
}

// An agent gets a crash fixed: it looks, proposes, and hears what the proof
// says. It applies only where it may.
func TestAnAgentFixesACrash(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for _, may := range []bool{false, true} {
		dir := program(t, emptyMapProgram)
		args := []string{"--offline", "."}
		if may {
			args = append([]string{"--agent-may-apply"}, args...)
		}
		s := agent(t, dir, args...)
		atCrash(t, s)
		for name, c := range map[string]struct {
			args map[string]any
			want string
			ok   bool
		}{
			"values": {nil, "x", true}, "stack": {nil, "add", true}, "eval": {map[string]any{"expr": "x.terms == nil"}, "true", true},
			"source": {map[string]any{"of": "/etc/passwd:1-3"}, "", false}, "candidate": {map[string]any{"id": "c99"}, "no fix", false},
			"context": {nil, "nil-map-write", true}, "past_sessions": {nil, "nil-map-write", true}, "script": {map[string]any{"code": "think(stop().kind, writers(\"terms\"))"}, "x.terms[", true},
		} {
			if text, ok := call(t, s, name, c.args); ok != c.ok || !strings.Contains(text, c.want) {
				t.Errorf("%s: %v, %s", name, ok, text)
			}
		}
		if text, ok := call(t, s, "eval", map[string]any{"expr": "x.add(\"y\")"}); ok {
			t.Errorf("a call was evaluated: %s", text)
		}
		if text, ok := call(t, s, "propose_patch", map[string]any{"title": "leave", "files": map[string]string{"../out.go": "package out\n"}}); ok {
			t.Errorf("a file outside: %s", text)
		}
		patch := map[string]any{"title": "make the map where the index is made", "edits": []map[string]string{{"file": "main.go", "old": "&index{}", "new": "&index{terms: map[string]int{}}"}}}
		if may {
			patch = map[string]any{"title": "make the map where the index is made", "diff": "--- a/main.go\n+++ b/main.go\n@@ -1 +1 @@\n-\tx := &index{}\n+\tx := &index{terms: map[string]int{}}\n"}
		}
		text, ok := call(t, s, "propose_patch", patch)
		var verdict struct {
			ID       string
			Verified bool
		}
		if err := json.Unmarshal([]byte(text), &verdict); !ok || err != nil || !verdict.Verified {
			t.Fatalf("propose: %v, %v, %s", ok, err, text)
		}
		if text, ok := call(t, s, "ask_approval", map[string]any{"id": verdict.ID, "reason": "the map is made"}); !ok {
			t.Error(text)
		}
		text, ok = call(t, s, "apply", map[string]any{"id": verdict.ID})
		source, err := os.ReadFile(filepath.Join(dir, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		if applied := string(source) == madeMap; ok != may || applied != may {
			t.Errorf("may apply %v: said %v, written %v: %s", may, ok, applied, text)
		}
		log, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "pausetui://session/log"})
		if err != nil || !strings.Contains(log.Contents[0].Text, "note by agent") {
			t.Errorf("the log: %v %+v", err, log)
		}
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
}

// A patch of an agent's is code that no one has read: what it reads and prints, in
// whatever form, does not get to the agent through its proof.
func TestWhatAnAgentsPatchPrintsStaysHere(t *testing.T) {
	t.Parallel()
	thief := func(body string) map[string]any {
		text := strings.Replace(emptyMapProgram, "package main\n", "package main\n\nimport (\n\t\"encoding/hex\"\n\t\"fmt\"\n\t\"os\"\n)\n", 1)
		text = strings.Replace(text, "\tx.terms[term]++\n", "\tdata, _ := os.ReadFile(\"kept.txt\")\n\ttext := hex.EncodeToString(data)\n"+body+"\n", 1)
		return map[string]any{"title": "steal", "files": map[string]string{"main.go": text}}
	}
	for _, sends := range []bool{false, true} {
		if sends && !testsupport.Whole() {
			break // package fix and the engine show it, too
		}
		dir := program(t, emptyMapProgram)
		if err := os.WriteFile(filepath.Join(dir, "kept.txt"), []byte("grass is green"), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"--offline", "."}
		if sends {
			args = append([]string{"--send-output"}, args...)
		}
		s := agent(t, dir, args...)
		atCrash(t, s)
		heard := ""
		bodies := []string{"\tpanic(fmt.Sprint(term, text))", "\tfmt.Println(term, text)\n\tos.Exit(3)", "\tx.terms = map[string]int{term: 1}\n\tfmt.Println(text)"}
		if sends || !testsupport.Whole() {
			bodies = bodies[:1] // the attack is one
		}
		for _, body := range bodies {
			text, ok := call(t, s, "propose_patch", thief(body))
			if !ok || !strings.Contains(text, `"name":"rerun"`) {
				t.Fatalf("the patch was not proved: %s", text)
			}
			heard += text
		}
		log, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "pausetui://session/log"})
		if err != nil {
			t.Fatal(err)
		}
		heard += log.Contents[0].Text
		if leaked := strings.Contains(heard, hex.EncodeToString([]byte("grass"))); leaked != sends {
			t.Errorf("with --send-output=%v the text was sent: %v\n%s", sends, leaked, heard)
		}
	}
}

// withSecrets crashes in a function whose variables go by the names of secrets, in
// forms that are not written as "name = text".
const withSecrets = `package main

import (
	"os"
	"strings"
)

type word string

type index struct{ terms map[string]int }

func (x *index) add(password string, token word, apiKey any, pwd *string, secret []byte, tokens []string, more map[string]string) {
	x.terms[password+string(token)]++
	_, _, _, _, _ = apiKey, pwd, secret, tokens, more
}

func main() {
	data, _ := os.ReadFile("kept.txt")
	at := strings.Fields(string(data))
	(&index{}).add(at[0], word(at[1]), at[2], &at[3], []byte(at[4]), at[5:6], map[string]string{"password": at[6]})
}
`

// A run beside the paused program reads what an agent could read there, and nothing else.
func TestARunBesideTellsNoSecrets(t *testing.T) {
	t.Parallel()
	secrets := []string{"meadowlark", "nightingale", "oystercatcher", "plovercovert", "quailquarrel", "ravenrookery", "sandpipersong"}
	dir := program(t, withSecrets)
	if err := os.WriteFile(filepath.Join(dir, "kept.txt"), []byte(strings.Join(secrets, " ")), 0o600); err != nil {
		t.Fatal(err)
	}
	s := agent(t, dir, "--offline", ".")
	atCrash(t, s)
	for _, value := range []string{"password", "token[0]", "len(apiKey)", `more["password"]`, "os.Getenv(\"HOME\")", "os.Args", "func() int { return 1 }()", "x }; panic(1); {", "strings.ToUpper(\"a\")", "<-c"} {
		if text, ok := call(t, s, "rerun_to", map[string]any{"place": "(*index).add", "values": []string{value}}); ok {
			t.Errorf("%s was read: %s", value, text)
		}
	}
	for _, place := range []string{"/etc/passwd:1", "strings.Fields", "main.go:1", "main.go"} {
		if text, ok := call(t, s, "rerun_to", map[string]any{"place": place, "values": []string{"1"}}); ok {
			t.Errorf("%s was reached: %s", place, text)
		}
	}
	for _, expr := range []string{"password", "more", "token[0]", "len(apiKey)"} {
		if text, ok := call(t, s, "history", map[string]any{"expr": expr}); ok && expr != "more" {
			t.Errorf("%s has a history: %s", expr, text)
		}
	}
	if text, ok := call(t, s, "history", map[string]any{}); !ok || !strings.Contains(text, "x.terms is nil: ") || !strings.Contains(text, "the newest first:") {
		t.Errorf("history: %s", text)
	}
	text, ok := call(t, s, "rerun_to", map[string]any{"place": "main.go:13", "values": []string{"more", "x.terms == nil"}})
	hidden := strings.Contains(text, "[redacted ") || strings.Contains(text, "[taken from a secret]")
	if !ok || !strings.Contains(text, "x.terms == nil = true") || !hidden {
		t.Errorf("rerun_to: %s", text)
	}
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("it tells %s: %s", secret, text)
		}
	}
}

// An agent gets no value that goes by the name of a secret, in whatever list it is.
func TestAgentsGetNoNamedSecrets(t *testing.T) {
	t.Parallel()
	secrets := []string{"meadowlark", "nightingale", "oystercatcher", "plovercovert", "quailquarrel", "ravenrookery", "sandpipersong"}
	dir := program(t, withSecrets)
	if err := os.WriteFile(filepath.Join(dir, "kept.txt"), []byte(strings.Join(secrets, " ")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, first := range []string{"values", "log", "eval"} { // what one answer has taught is hidden in the next ones
		s := agent(t, dir, "--offline", ".")
		atCrash(t, s)
		var heard string
		switch first {
		case "log":
			log, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "pausetui://session/log"})
			if err != nil {
				t.Fatal(err)
			}
			heard = log.Contents[0].Text
		case "eval":
			for _, name := range []string{"password", "token", "apiKey", "pwd", "secret", "tokens", "more"} {
				text, _ := call(t, s, "eval", map[string]any{"expr": name})
				heard += text
			}
		default:
			heard, _ = call(t, s, first, nil)
		}
		if !strings.Contains(heard, "apiKey") || !strings.Contains(heard, "[redacted ") {
			t.Errorf("%s shows no variables: %s", first, heard)
		}
		for _, secret := range secrets {
			first, second := strconv.Itoa(int(secret[0])), strconv.Itoa(int(secret[1]))
			if strings.Contains(heard, secret) || strings.Contains(heard, first+" "+second) || strings.Contains(heard, "[0]: "+first) {
				t.Errorf("%s shows %s: %s", first, secret, heard)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
