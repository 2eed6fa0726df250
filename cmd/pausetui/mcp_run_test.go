package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// recorder keeps what an agent asked and was answered, as docs/mcp.md shows it.
type recorder struct {
	t    *testing.T
	s    *mcp.ClientSession
	text strings.Builder
}

// call calls a tool and records the call, with these fields of its answer alone,
// or the answer's first line when there are none.
func (r *recorder) call(name string, shown string, args map[string]any, fields ...string) map[string]any {
	r.t.Helper()
	text, ok := call(r.t, r.s, name, args)
	answer := map[string]any{}
	_ = json.Unmarshal([]byte(text), &answer) // not all answers are objects
	fmt.Fprintf(&r.text, "    %s %s\n", name, shown)
	if !ok {
		fmt.Fprintf(&r.text, "      refused: %s\n", text)
	}
	for _, f := range fields {
		v, err := json.Marshal(answer[f])
		if err != nil {
			r.t.Fatal(err)
		}
		fmt.Fprintf(&r.text, "      %s: %s\n", f, v)
	}
	if ok && len(fields) == 0 {
		for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
			fmt.Fprintf(&r.text, "      %s\n", line)
		}
	}
	return answer
}

// person records what the person does meanwhile.
func (r *recorder) person(words string) { fmt.Fprintf(&r.text, "    (%s)\n", words) }

// joined is an agent that the host has let into the session.
func joined(t *testing.T, host *terminal, dir string) *mcp.ClientSession {
	t.Helper()
	s := agent(t, dir) // which waits for nobody
	in := make(chan bool, 1)
	go func() {
		_, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "status"})
		in <- err == nil
	}()
	host.confirm("Let test in?")
	select {
	case ok := <-in:
		if !ok {
			t.Fatal("the agent did not get in")
		}
	case <-time.After(testsupport.Patience):
		t.Fatal("the agent did not get in")
	}
	return s
}

// An agent whose fix finds no room any more gets an error, and the list of fixes
// says it. At the end of the session the agent has none.
func TestAnAgentsFixIsLeftOut(t *testing.T) {
	t.Parallel()
	dir := program(t, emptyMapProgram)
	host := startTerminal(t, dir, 120, 40, nil, "debug", "--offline", "--agents", "--max-candidates", "1", ".")
	host.wait("6 Fixes · 1")
	s := joined(t, host, dir)
	text, ok := call(t, s, "propose_patch", map[string]any{"title": "make it", "files": map[string]string{"main.go": strings.Replace(madeMap, "x.add(", "x.add(\"\" + ", 1)}})
	if ok {
		t.Errorf("the proposal was taken: %s", text)
	}
	has(t, text, "was left out", "--max-candidates")
	host.keys("6")
	host.wait("test · \"make it\" was left out", "\"make it\" was left out")
	host.leave()
	testsupport.Eventually(t, "the agent has no session", func() bool {
		text, ok := call(t, s, "status", nil)
		return !ok && strings.Contains(text, "no session")
	})
}

// An agent asks the person for the wheel, and runs the program when it has it.
func TestAnAgentDrives(t *testing.T) {
	t.Parallel()
	dir := program(t, emptyMapProgram)
	host := startTerminal(t, dir, 120, 40, nil, "debug", "--offline", "--agents", ".")
	host.wait("6 Fixes")
	s := joined(t, host, dir)
	text, ok := call(t, s, "restart", nil)
	if ok {
		t.Errorf("it drives: %s", text)
	}
	has(t, text, "you do not drive", "wait, for wheel")
	host.confirm("Give test the wheel?")
	if text, ok := call(t, s, "wait", map[string]any{"for": "wheel"}); !ok || !strings.Contains(text, "agent that drives") {
		t.Errorf("the wheel: %s", text)
	}
	if got, _ := held(t, s, "restart", nil); got.Reason != "panic" {
		t.Errorf("restart: %+v", got)
	}
	text, ok = call(t, s, "apply", map[string]any{"id": "c1"})
	if ok {
		t.Errorf("it approves: %s", text)
	}
	host.leave()
}

// An agent joins a person's session and gets a crash of an example fixed: it
// looks, proposes, hears the verdict and asks; the person approves.
// docs/mcp.md shows this run: go test ./cmd/pausetui -run RecordedRun -update
func TestTheRecordedRunOfAnAgent(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := module(t, "inventory")
	host := startTerminal(t, dir, 120, 36, nil, "debug", "--offline", "--agents", ".")
	host.wait("2 ✓ verified", "2 ✓ repairs")
	r := &recorder{t: t, s: joined(t, host, dir)}
	r.person("in the terminal: pausetui debug --agents ./examples/inventory; the agent's client starts pausetui mcp, and the person lets it in with y")
	r.call("status", "", nil, "phase", "role", "class", "place", "diagnosis")
	r.call("eval", `{"expr":"inv.bySupplier == nil"}`, map[string]any{"expr": "inv.bySupplier == nil"})
	source := get(t, filepath.Join(dir, "inventory.go"))
	fixed := strings.Replace(source, "make(map[string]*Item),\n", "make(map[string]*Item),\n\n\t\tbySupplier: map[string][]string{},\n", 1)
	verdict := r.call("propose_patch", `{"title":"make bySupplier where the inventory is made","files":{"inventory.go":"…"}}`,
		map[string]any{"title": "make bySupplier where the inventory is made", "files": map[string]string{"inventory.go": fixed}}, "id", "proved", "verified", "effect", "evidence", "diff")
	id, _ := verdict["id"].(string)
	if verdict["verified"] != true || id == "" {
		t.Fatalf("the verdict: %v", verdict)
	}
	r.call("ask_approval", `{"id":"`+id+`","reason":"NewInventory made items alone"}`, map[string]any{"id": id, "reason": "NewInventory made items alone"}, "done")
	r.call("apply", `{"id":"`+id+`"}`, map[string]any{"id": id})
	if get(t, filepath.Join(dir, "inventory.go")) != source {
		t.Fatal("the agent has applied its fix")
	}
	host.wait("please approve " + id)
	host.keys("6")
	host.keys("\r")
	for n := 0; n < 5 && !strings.Contains(host.text(), "· make bySupplier where the"); n++ {
		before := host.text()
		host.keys("]")
		host.until("the next fix is not shown", func() bool { return host.text() != before })
	}
	host.wait("· make bySupplier where the")
	host.approve()
	host.wait("✓ fixed")
	r.person("the person reads the fix, approves it with a and y; it is applied, and the program runs to its end")
	end := r.call("status", "", nil, "phase", "judgement")
	for _, c := range end["candidates"].([]any) {
		if c := c.(map[string]any); c["id"] == id {
			fmt.Fprintf(&r.text, "      fix %s: decision %v, applied %v\n", id, c["decision"], c["applied"])
		}
	}
	log, err := r.s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "pausetui://session/log"})
	if err != nil {
		t.Fatal(err)
	}
	judged := regexp.MustCompile(`## Judgement: .*`).FindString(log.Contents[0].Text)
	fmt.Fprintf(&r.text, "    resource pausetui://session/log\n      … %s\n", judged)
	if judged != "## Judgement: fixed" || !strings.Contains(get(t, filepath.Join(dir, "inventory.go")), "map[string][]string{}") {
		t.Errorf("%s", r.text.String())
	}
	host.leave()
	r.compare()
}

// varies is what differs from run to run, or by what a machine's sandbox can do.
var varies = regexp.MustCompile(`\d+(\.\d+)? ?(ms|s)\b|      evidence: .*`)

// compare holds the document to the run.
func (r *recorder) compare() {
	const begins, ends = "<!-- recorded: an agent's run -->\n\n", "\n<!-- /recorded -->"
	path := filepath.Join("..", "..", "docs", "mcp.md")
	doc := testsupport.Read(r.t, path)
	before, rest, ok := strings.Cut(doc, begins)
	shown, after, closed := strings.Cut(rest, ends)
	if !ok || !closed {
		r.t.Fatalf("%s has no place for the run", path)
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+begins+r.text.String()+ends+after), 0o644); err != nil {
			r.t.Fatal(err)
		}
		return
	}
	stable := func(text string) string { return varies.ReplaceAllString(text, "") }
	if stable(shown) != stable(r.text.String()) {
		r.t.Errorf("%s shows another run; go test ./cmd/pausetui -run RecordedRun -update\n%s", path, r.text.String())
	}
}
