package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// turn is a call of an agent and what it learns from the answer.
type turn struct {
	tool  string
	args  map[string]any
	learn []string
}

// task is a program that an agent gets fixed by tools alone: it looks until it knows the
// cause, proposes, and asks its person.
type task struct {
	main, test string
	start      map[string]any
	turns      []turn
	fix        map[string]string // an edit
}

// tasks are programs with one bug each. The second one's cause is gone when it crashes;
// the third does not crash, and is seen in steps.
var tasks = map[string]task{
	"a table without its index": {main: `package main

import "fmt"

type table struct {
	rows  []string
	index map[string]int
}

func open(rows ...string) *table {
	t := &table{rows: rows}
	if len(rows) > 8 {
		t.build()
	}
	return t
}

func (t *table) build() {
	t.index = map[string]int{}
	for i, r := range t.rows {
		t.index[r] = i
	}
}

func (t *table) insert(row string) {
	t.rows = append(t.rows, row)
	t.index[row] = len(t.rows) - 1
}

func main() {
	t := open("a", "b")
	t.insert("c")
	fmt.Println(len(t.rows), t.index["c"])
}
`,
		turns: []turn{
			{"context", nil, []string{"nil-map-write", "t.index[row]", `rows: []string{"a", "b", "c"}`}},
			{"find", map[string]any{"identifier": "index"}, []string{"main.go:19"}},
			{"source", map[string]any{"of": "open"}, []string{"len(rows) > 8"}},
		},
		fix: map[string]string{"file": "main.go", "old": "\tif len(rows) > 8 {\n\t\tt.build()\n\t}\n", "new": "\tt.build()\n"}},

	"a pool that leaks": {main: `package main

type pool struct {
	next []int
	free int
}

func newPool(n int) *pool {
	p := &pool{next: make([]int, n)}
	for i := range p.next {
		p.next[i] = i + 1
	}
	p.next[n-1] = -1
	return p
}

func (p *pool) take() int {
	i := p.free
	p.free = p.next[i]
	return i
}

func (p *pool) put(i int) {
	p.next[i] = p.free
	p.free = i
}

func (p *pool) release(batch []int) {
	for n := 1; n < len(batch); n++ {
		p.put(batch[n])
	}
}

func main() {
	p := newPool(6)
	for range 20 {
		batch := []int{p.take(), p.take()}
		p.release(batch)
	}
}
`,
		turns: []turn{
			{"context", nil, []string{"index-out-of-range", "i int = -1"}},
			{"rerun_to", map[string]any{"place": "(*pool).put", "values": []string{"i", "p.free"}, "times": 3}, []string{"moment 1\ni = 1\np.free = 2", "moment 3\ni = 3"}},
			{"rerun_to", map[string]any{"place": "(*pool).put", "condition": "i == 0", "values": []string{"i"}}, []string{"0 of 1 moments"}},
			{"rerun_to", map[string]any{"place": "main.go:29", "values": []string{"batch"}}, []string{"batch = []int{0, 1} (len 2, cap 2)"}},
		},
		fix: map[string]string{"file": "main.go", "old": "for n := 1; n < len(batch); n++", "new": "for n := range batch"}},

	"runs that are lost": {main: `package main

import "fmt"

func encode(s string) string {
	out, n := "", 0
	for i := range s {
		n++
		if i+1 < len(s) && s[i+1] != s[i] {
			out += fmt.Sprint(string(s[i]), n)
			n = 0
		}
	}
	return out
}

func main() { fmt.Println(encode("aab")) }
`, test: `package main

import "testing"

func TestEncode(t *testing.T) {
	if got := encode("aab"); got != "a2b1" {
		t.Errorf("got %q, want %q", got, "a2b1")
	}
}
`,
		start: map[string]any{"mode": "test", "args": []string{"-run", "TestEncode"}, "break": []string{"main.go:9 if i == 2"}},
		turns: []turn{
			{"eval", map[string]any{"expr": "n"}, []string{"n = 1"}},
			{"step", nil, []string{`"place":"main.go:7"`, "a2"}},
			{"continue", nil, []string{`"reason":"test"`, "a2"}},
			{"breakpoint", map[string]any{"remove": 1}, []string{`"breakpoints":[]`}},
		},
		fix: map[string]string{"file": "main.go", "old": "if i+1 < len(s) && s[i+1] != s[i] {", "new": "if i+1 == len(s) || s[i+1] != s[i] {"}},
}

// An agent with nothing but the protocol gets three programs fixed.
func TestAnAgentSolvesProgramsByTools(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for name, c := range tasks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := program(t, c.main)
			if c.test != "" {
				if err := os.WriteFile(filepath.Join(dir, "main_test.go"), []byte(c.test), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			asked := ""
			s := agentOf(t, dir, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked = r.Params.Message
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, nil
			}}, "--offline", "--max-candidates", "40")
			held(t, s, "start", c.start)
			for _, turn := range c.turns {
				text, ok := call(t, s, turn.tool, turn.args)
				if !ok {
					t.Fatalf("%s: %s", turn.tool, text)
				}
				for _, want := range turn.learn {
					if quoted, _ := json.Marshal(want); !strings.Contains(text, want) && !strings.Contains(text, strings.Trim(string(quoted), `"`)) {
						t.Errorf("%s %v does not tell %q: %s", turn.tool, turn.args, want, text)
					}
				}
			}
			text, ok := call(t, s, "propose_patch", map[string]any{"title": "fix " + name, "edits": []map[string]string{c.fix}})
			var verdict struct {
				ID       string
				Verified bool
			}
			if err := json.Unmarshal([]byte(text), &verdict); !ok || err != nil || !verdict.Verified {
				t.Fatalf("the proposal: %s", text)
			}
			text, ok = call(t, s, "ask_approval", map[string]any{"id": verdict.ID, "reason": "the values show it"})
			if !ok || !strings.Contains(text, "fixed") || !strings.Contains(asked, "the values show it") {
				t.Errorf("approval: %s; asked %q", text, asked)
			}
			if got := get(t, filepath.Join(dir, "main.go")); !strings.Contains(got, c.fix["new"]) {
				t.Errorf("it is not applied: %s", got)
			}
		})
	}
}
