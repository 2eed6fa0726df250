package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

const withTokenByShape = `package main

import (
	"os"
	"strings"
)

type pool struct {
	seen map[string]int
	dsn  string
}

var table [256]int

func use(p *pool, k string, b []byte, idx []int) {
	p.seen["x"] = len(k) + len(b) + len(idx)
}

func main() {
	idx := make([]int, 256)
	for i := range idx {
		idx[i], table[i] = i, i
	}
	k := "ghp_" + strings.Join(os.Args[1:], "")
	use(&pool{dsn: k}, k, []byte(k), idx)
}
`

// A run beside the paused program tells no part of a secret that only the whole text gives
// away, and no moment depends on one.
func TestARunBesideTellsNoPartsOfSecrets(t *testing.T) {
	t.Parallel()
	dir := program(t, withTokenByShape)
	s := agent(t, dir, "--offline", ".", "--", "16C7e42F292c", "6912E7710c838", "347Ae178B4a")
	atCrash(t, s)
	parts := []string{"k[4:9]", "int(k[5])", "string(k[4:6])", "b[4]", "string(b[4:9])", "k[4] == 49", "idx[k[4]]", "table[b[5]]", "p.dsn[4:9]", "(*p).dsn[4]", "idx[:k[4]]", "len(idx[:k[4]])"}
	for from := 0; from < len(parts); from += 6 { // each one asks anew: what one answer has taught is hidden in the next
		text, ok := call(t, s, "rerun_to", map[string]any{"place": "use", "values": append([]string{"len(k)", "idx[3]"}, parts[from:from+6]...)})
		if !ok || strings.Count(text, "[taken from a secret]") != 6 || !strings.Contains(text, "len(k) = 40") || !strings.Contains(text, "idx[3] = 3") {
			t.Errorf("%s: %s", parts[from:from+6], text)
		}
	}
	for _, cond := range []string{"k[4] == 49", "k[4] == 50", `k < "ghp_2"`, "len(k) == 40 && idx[b[4]] == 49", "p.dsn[4] == 49 || true", "idx[99999] == 1 || k[4] == 49", "k[99] == 49"} {
		if text, ok := call(t, s, "rerun_to", map[string]any{"place": "use", "condition": cond, "values": []string{"len(k)"}}); ok || !strings.Contains(text, "a secret") {
			t.Errorf("%s: %s", cond, text)
		}
	}
	for _, expr := range []string{"b[4]", "idx[k[4]]", "table[b[5]]"} {
		if text, ok := call(t, s, "history", map[string]any{"expr": expr}); ok {
			t.Errorf("%s has a history: %s", expr, text)
		}
	}
	line := fmt.Sprintf("main.go:%d", lineOf(t, withTokenByShape, "idx[i], table[i]"))
	if text, ok := call(t, s, "rerun_to", map[string]any{"place": line, "condition": "i == 50 || idx[1] > 1", "values": []string{"i", "idx[i-1]"}}); !ok || !strings.Contains(text, "i = 50") || !strings.Contains(text, "idx[i-1] = 49") {
		t.Errorf("a condition without a secret: %s", text)
	}
}

// An agent has one program at a time built and run beside the paused one.
func TestAnAgentHasOneRunBeside(t *testing.T) {
	t.Parallel()
	s := agent(t, program(t, withTokenByShape), "--offline", ".", "--", "x")
	atCrash(t, s)
	var calls sync.WaitGroup
	var mu sync.Mutex
	refused, answered := 0, 0
	for i := range 16 {
		calls.Go(func() {
			name, args := "history", map[string]any{"expr": "p.seen"}
			if i%2 == 0 {
				name, args = "rerun_to", map[string]any{"place": "use", "values": []string{"len(k)"}}
			}
			text, ok := call(t, s, name, args)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case ok:
				answered++
			case strings.Contains(text, "one at a time"):
				refused++
			default:
				t.Errorf("%s: %s", name, text)
			}
		})
	}
	calls.Wait()
	if answered == 0 || answered > 4 || answered+refused != 16 {
		t.Errorf("%d runs at once, %d refused", answered, refused)
	}
}

// What a run has seen of a bad value goes to models: it says of other values what they are, and
// not what is in them.
func TestWhatWasSeenHoldsNoValues(t *testing.T) {
	t.Parallel()
	dir := program(t, `package main

type conn struct{ addr string }

type user struct {
	conn     *conn
	zip      string
	Password int
}

func load() user { return user{zip: "8001 sometown", Password: 48213377} }

func main() {
	w := load()
	a := w.conn
	w.zip, w.Password = "", 0
	println(a.addr)
}
`)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "debug", "--plain", "--offline", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asMain+"=1", stateHome(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if text := lines.Text(); strings.HasPrefix(text, "seen: ") {
			seen = text
			_ = in.Close()
		}
	}
	_ = cmd.Wait()
	if !strings.HasPrefix(seen, "seen: a is nil: load returned nil (main.go:") {
		t.Error(seen)
	}
}
