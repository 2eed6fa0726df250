package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

// peak is the largest resident memory of a command that has ended, in MB.
func peak(cmd *exec.Cmd) int {
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		return int(usage.Maxrss >> 10)
	}
	return 0
}

// last is the last line of an output.
func last(out []byte) string {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return string(lines[len(lines)-1])
}

const shelf = `-- go.mod --
module example.org/shelf

go 1.26
-- main.go --
package main

import "fmt"

type shelf struct{ books map[string]string }

func main() {
	s := shelf{}
	s.books["Lem"] = "Solaris"
	fmt.Println(len(s.books))
}
`

// invitation is what a host's screen says about how to come in.
var invitation = regexp.MustCompile(`ssh -p (\d+) (\S+)`)

// guests has fifty look on, each with a key of their own and a terminal of 100×30.
func guests(ctx context.Context, p *place, f *figures) error {
	const most = 50
	if err := errors.Join(p.write(shelf), p.keys(most)); err != nil {
		return err
	}
	s, err := p.open(ctx, "debug", "--offline", "--share", "--share-keys", p.path("keys"), "--share-guests", fmt.Sprint(most), ".")
	if err != nil {
		return err
	}
	defer s.End()
	if _, err := s.Wait(ctx, "nil-map-write", "This session is shared"); err != nil {
		return err
	}
	found := invitation.FindStringSubmatch(s.Screen())
	if found == nil {
		return fmt.Errorf("no invitation on the screen:\n%s", s.Screen())
	}
	if err := s.Press(escape); err != nil {
		return err
	}
	alone, err := s.typed(ctx, ":", "\n :", nil, 80)
	if err != nil {
		return err
	}
	before, err := s.Memory()
	if err != nil {
		return err
	}
	var all []*terminal.Terminal
	for n := range most {
		guest, err := terminal.Open(p.guest(ctx, n, found[1]), 100, 30, nil)
		if err != nil {
			return err
		}
		defer guest.End()
		if _, err := s.Wait(ctx, fmt.Sprintf("Let guest%d in?", n)); err != nil {
			return err
		}
		time.Sleep(400 * time.Millisecond) // a dialog ignores keys for a while
		if err := s.Press("y"); err != nil {
			return err
		}
		if _, err := guest.Wait(ctx, "nil-map-write"); err != nil {
			return fmt.Errorf("guest %d: %w", n, err)
		}
		all = append(all, guest)
	}
	if f.keys, err = s.typed(ctx, ":", "\n :", nil, 160); err != nil {
		return err
	}
	began := time.Now()
	if err := s.Press(":say everybody here" + enter); err != nil {
		return err
	}
	for n, guest := range all {
		if _, err := guest.Wait(ctx, "everybody here"); err != nil {
			return fmt.Errorf("guest %d: %w", n, err)
		}
	}
	took := time.Since(began)
	if f.memory, err = s.Memory(); err != nil {
		return err
	}
	f.said = fmt.Sprintf("%d guests, who see a word %d ms later, with %d MB more; alone, keys take %s", most, took.Milliseconds(), f.memory-before, spread(alone))
	return s.leave(escape, "q", "y")
}

// keys makes keys for guests, and the file that admits them.
func (p *place) keys(n int) error {
	var all strings.Builder
	for i := range n {
		path := p.path(fmt.Sprintf("key%d", i))
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", fmt.Sprintf("guest%d", i), "-f", path).CombinedOutput(); err != nil {
			return fmt.Errorf("ssh-keygen: %w: %s", err, out)
		}
		text, err := os.ReadFile(path + ".pub")
		if err != nil {
			return err
		}
		all.Write(text)
	}
	return os.WriteFile(p.path("keys"), []byte(all.String()), 0o600)
}

// guest is the client of one. Each comes from another address: what one address may do in a
// minute is bounded.
func (p *place) guest(ctx context.Context, n int, port string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "ssh", "-F", "none", "-b", fmt.Sprintf("127.0.0.%d", 2+n), "-i", p.path(fmt.Sprintf("key%d", n)),
		"-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
		"-l", fmt.Sprintf("guest%d", n), "-p", port, "127.0.0.1")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor")
	return cmd
}

// listed is how many fixes the screen lists.
var listed = regexp.MustCompile(`Fixes · ([\d,]+)`)

func (s screen) fixes() int {
	n := 0
	if found := listed.FindStringSubmatch(s.Screen()); found != nil {
		n, _ = strconv.Atoi(strings.ReplaceAll(found[1], ",", "")) // digits
	}
	return n
}

// candidates has a model give a thousand. None of them can be built: what is measured is
// what keeps and shows them.
func candidates(ctx context.Context, p *place, f *figures) error {
	const most = 1000
	if err := p.write(shelf); err != nil {
		return err
	}
	var n atomic.Int64
	model, err := ollamatest.Start("127.0.0.1:0", ollamatest.Model{Name: "eager:7b", Capabilities: []string{"completion"}, Loaded: true,
		Script: func(ollamatest.Request) []ollamatest.Step {
			const answer = "The map is nil.\n```go\nfunc main() {\n\ts := shelf{}\n\ts.books = attempt%d()\n\ts.books[\"Lem\"] = \"Solaris\"\n}\n```\n"
			return []ollamatest.Step{{Text: fmt.Sprintf(answer, n.Add(1))}}
		}})
	if err != nil {
		return err
	}
	defer model.Close()
	p.more = append(p.more, "OLLAMA_HOST="+model.URL)
	if err := os.MkdirAll(p.path("config/pausetui"), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(p.path("config/pausetui/config.toml"), fmt.Appendf(nil, "[limits]\nmax_candidates = %d\n", 2*most), 0o600); err != nil {
		return err
	}
	s, err := p.open(ctx, "debug", "--model", "ollama/eager:7b", ".")
	if err != nil {
		return err
	}
	defer s.End()
	if _, err := s.Wait(ctx, "nil-map-write", "Fixes"); err != nil {
		return err
	}
	began := time.Now()
	for s.fixes() < most {
		before := s.fixes()
		if err := s.Press("f"); err != nil {
			return err
		}
		for range 100 {
			if time.Sleep(30 * time.Millisecond); s.fixes() > before {
				break
			}
		}
		keys, err := s.typed(ctx, ":", "\n :", nil, 1)
		if err != nil {
			return fmt.Errorf("with %d candidates: %w", before, err)
		}
		f.keys = append(f.keys, keys...)
	}
	if f.memory, err = s.Memory(); err != nil {
		return err
	}
	f.said = fmt.Sprintf("%d candidates in %.0f s", s.fixes(), time.Since(began).Seconds())
	return s.leave(escape, "q", "y")
}
