package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/internal/testsupport"
)

const crashText = `panic: assignment to entry in nil map

goroutine 1 [running]:
main.(*index).add(...)
	/src/main.go:6
main.main()
	/src/main.go:11 +0x25
exit status 2
`

// A client starts its servers before anything is debugged. The agent then starts what is
// of the module, and nothing else.
func TestAnAgentStartsSessions(t *testing.T) {
	t.Parallel()
	dir := program(t, emptyMapProgram)
	outside := t.TempDir()
	if err := os.Symlink("/bin/sh", filepath.Join(dir, "app")); err != nil {
		t.Fatal(err)
	}
	s := agent(t, dir, "--offline")
	if text, ok := call(t, s, "status", nil); ok || !strings.Contains(text, "start starts one") {
		t.Errorf("without a session: %v, %s", ok, text)
	}
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "pausetui://session/log"}); err == nil {
		t.Error("there is a log of no session")
	}
	for want, args := range map[string]map[string]any{
		"is not of the module":    {"mode": "exec", "binary": "/bin/sh"},
		"app\": it is not":        {"mode": "exec", "binary": "app"},
		"it is not of":            {"package": outside},
		"binary is missing":       {"mode": "core"},
		"passwd":                  {"mode": "core", "binary": "main.go", "core": "/etc/passwd"},
		"process 1":               {"mode": "attach", "pid": 1},
		strconv.Itoa(os.Getpid()): {"mode": "attach", "pid": os.Getpid()},
		"no trace":                {"mode": "trace", "trace": "hello"},
		"mode is":                 {"mode": "shell"},
		"writes files":            {"mode": "test", "args": []string{"-run", "X", "--test.cpuprofile=" + filepath.Join(outside, "x")}},
	} {
		if text, ok := call(t, s, "start", args); ok || !strings.Contains(text, want) {
			t.Errorf("%v: %v, %s", args, ok, text)
		}
	}
	text, ok := call(t, s, "start", map[string]any{"mode": "trace", "trace": crashText})
	if !ok {
		t.Errorf("a trace: %s", text)
	}
	has(t, text, `"class":"nil-map-write"`, "main.(*index).add")
	if text, ok := call(t, s, "start", map[string]any{"mode": "shell"}); ok {
		t.Errorf("a shell: %s", text)
	}
	if text, ok := call(t, s, "status", nil); !ok || !strings.Contains(text, "nil-map-write") {
		t.Errorf("the session before is gone: %s", text)
	}
	text, ok = call(t, s, "start", nil)
	if !ok {
		t.Fatalf("the program: %s", text)
	}
	has(t, text, `"phase":"stopped"`, `"place":"main.go:6"`, "x.terms[term]++", "term string")
	text, ok = call(t, s, "start", map[string]any{"break": []string{"main.main"}})
	if !ok {
		t.Fatalf("the program again: %s", text)
	}
	has(t, text, `"reason":"breakpoint"`)
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestAnAgentsFixReadsNoFileThatItNames: an agent chooses the arguments, and has its own
// fix read what they name.
func TestAnAgentsFixReadsNoFileThatItNames(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	private := filepath.Join(t.TempDir(), "private")
	put(t, private, "secret")
	dir := program(t, emptyMapProgram)
	prying := strings.Replace(strings.Replace(madeMap, "type index", "import \"os\"\n\ntype index", 1), "\tx.add(", "\tif _, err := os.ReadFile("+strconv.Quote(private)+"); err == nil {\n\t\tpanic(\"it is read\")\n\t}\n\tx.add(", 1)
	s := agent(t, dir, "--offline", ".", "--", private) // a person's
	propose := func() string {
		text, _ := call(t, s, "propose_patch", map[string]any{"title": "make it", "files": map[string]string{"main.go": prying}})
		return text
	}
	atCrash(t, s)
	if text := propose(); strings.Contains(text, `"verified":true`) {
		t.Errorf("what a person names is not read: %s", text)
	}
	for tool, args := range map[string]map[string]any{"restart": {"args": []string{private}}, "start": {"args": []string{private}}} {
		if text, ok := call(t, s, tool, args); !ok {
			t.Fatalf("%s: %s", tool, text)
		}
		atCrash(t, s)
		if text := propose(); !strings.Contains(text, `"verified":true`) {
			t.Errorf("after %s it is read: %s", tool, text)
		}
	}
}
