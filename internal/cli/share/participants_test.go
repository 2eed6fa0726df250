package share

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui"
	screen "github.com/pausetui/pausetui/ui/options"
)

// delay is what each direction of a participant's connection takes.
const delay = 25 * time.Millisecond

// participant is a guest's terminal at the far end of a slow line.
type participant struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (p *participant) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.buf.Write(b)
}

// shows reports whether a text was drawn since the last call of forget.
func (p *participant) shows(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Contains(p.buf.Bytes(), []byte(text))
}

func (p *participant) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.buf.Reset()
}

// until waits for a text.
func (p *participant) until(b *testing.B, text string) {
	b.Helper()
	for late := time.Now().Add(20 * time.Second); !p.shows(text); time.Sleep(100 * time.Microsecond) {
		if time.Now().After(late) {
			b.Fatalf("%q never came", text)
		}
	}
}

// word is the nth of words of which each differs from the one before in every
// cell: only what changes is drawn.
func word(n int) string {
	letters := make([]byte, 9)
	for i := range letters {
		letters[i] = "BDFGHJKLNPQRSTVWXZ"[(n+5*i)%18]
	}
	return string(letters)
}

// keys is how long the host's screen takes to show a key: the median of many.
func keys(b *testing.B, in io.Writer, host *participant) time.Duration {
	b.Helper()
	var took []time.Duration
	for n := range 100 {
		key := string("BDFGHJKLNPQRSTVWXZ"[n%18])
		time.Sleep(time.Duration(n%10) * 2 * time.Millisecond) // not in step with the frames
		host.forget()
		began := time.Now()
		if _, err := io.WriteString(in, key); err != nil {
			b.Fatal(err)
		}
		host.until(b, key)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// hostScreen shows the session to its host, with a command line to type into.
func hostScreen(b *testing.B, sh *Sharing) (io.Writer, *participant) {
	b.Helper()
	r, w := io.Pipe()
	host := &participant{}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = ui.Run(ctx, sh.Room.Host(), screen.Screen{Input: r, Output: host, Seat: sh.Room.Host(), Clock: time.Now,
			Remote: &screen.Remote{Environ: []string{"TERM=xterm-256color"}, Size: pair.Size{Width: 140, Height: 40}}})
	}()
	b.Cleanup(func() { cancel(); _ = w.Close(); <-over })
	host.until(b, "This session is shared")
	for _, key := range []string{"\r", ":"} {
		time.Sleep(time.Second) // what comes by itself makes the screen deaf for a moment
		if _, err := io.WriteString(w, key); err != nil {
			b.Fatal(err)
		}
	}
	time.Sleep(time.Second)
	return w, host
}

// delayed passes bytes on after the delay, without slowing what follows.
func delayed(from, to net.Conn) {
	type piece struct {
		at   time.Time
		data []byte
	}
	pieces := make(chan piece, 1000)
	go func() {
		defer close(pieces)
		buf := make([]byte, 32<<10)
		for {
			n, err := from.Read(buf)
			if n > 0 {
				pieces <- piece{time.Now().Add(delay), bytes.Clone(buf[:n])}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range pieces {
		time.Sleep(time.Until(p.at))
		if _, err := to.Write(p.data); err != nil {
			break
		}
	}
	_ = to.Close()
}

// enter brings a participant in over a slow line.
func enter(b *testing.B, sh *Sharing, n int) *participant {
	b.Helper()
	server, err := net.Dial("tcp", sh.server.Addr())
	if err != nil {
		b.Fatal(err)
	}
	near, far := net.Pipe()
	go delayed(server, far)
	go delayed(far, server)
	code := sh.Room.Host().Door().Code
	conn, channels, requests, err := ssh.NewClientConn(near, sh.server.Addr(), &ssh.ClientConfig{User: fmt.Sprint("p", n), HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Auth: []ssh.AuthMethod{ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return []string{code}, nil })}})
	if err != nil {
		b.Fatal(err)
	}
	s, err := ssh.NewClient(conn, channels, requests).NewSession()
	if err != nil {
		b.Fatal(err)
	}
	p := &participant{}
	s.Stdout = p
	if _, err = s.StdinPipe(); err == nil {
		err = s.RequestPty("xterm-256color", 40, 140, nil)
	}
	if err == nil {
		err = s.Shell()
	}
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkParticipants measures what eight participants take, each 50 ms away,
// and how long an update takes to reach all of them.
func BenchmarkParticipants(b *testing.B) {
	const participants = 8
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/sample\n\ngo 1.26\n", "main.go": faultyProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	e, err := engine.New(b.Context(), options.Session{Target: options.Target{Dir: dir, Headless: true}})
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- e.Run(context.Background()) }()
	for e.State().Phase != session.PhaseStopped {
		time.Sleep(10 * time.Millisecond)
	}
	sh := New(e, flags.Share{}, config.Config{}, nil)
	if err := sh.Share("127.0.0.1:0"); err != nil {
		b.Fatal(err)
	}
	go admitAll(b.Context(), sh)
	time.Sleep(3 * time.Second) // the proofs
	in, host := hostScreen(b, sh)
	alone := keys(b, in, host)
	before := inUse()
	var all []*participant
	for n := range participants {
		p := enter(b, sh, n)
		p.until(b, "nil-map-write")
		all = append(all, p)
	}
	time.Sleep(time.Second)
	memory := float64(inUse()-before) / participants / (1 << 20) // with the clients, which are in this process, too
	together := keys(b, in, host)
	n, worst := 0, time.Duration(0)
	for b.Loop() {
		for _, p := range all {
			p.forget()
		}
		n++
		began := time.Now()
		if err := sh.Room.Host().Say(word(n), nil); err != nil {
			b.Fatal(err)
		}
		for _, p := range all {
			p.until(b, word(n))
		}
		worst = max(worst, time.Since(began))
	}
	b.ReportMetric(ms(worst), "worst-ms")
	b.ReportMetric(memory, "MB/participant")
	b.ReportMetric(ms(alone), "key-alone-ms")
	b.ReportMetric(ms(together), "key-with-guests-ms")
	sh.End(io.EOF)
	e.Do(intent.Quit{})
	if err := <-ended; err != nil {
		b.Error(err)
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func admitAll(ctx context.Context, sh *Sharing) {
	var version uint64
	for {
		v, err := sh.Room.Host().Watch(ctx, version)
		if err != nil {
			return
		}
		version = v.Version
		for _, p := range v.People {
			if p.Waiting {
				_ = sh.Room.Host().Admit(p.Name)
			}
		}
	}
}

// inUse is the memory of the heap and of stacks.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// faultyProgram writes to a map that was not made.
const faultyProgram = `package main

type index struct{ terms map[string]int }

func (x *index) add(term string) {
	x.terms[term]++
}

func main() {
	x := &index{}
	x.add("go")
}
`

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}
