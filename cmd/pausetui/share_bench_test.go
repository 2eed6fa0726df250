package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
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

func (p *participant) shows(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Contains(p.buf.Bytes(), []byte(text))
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
func enter(b *testing.B, sh *sharing, n int) *participant {
	b.Helper()
	server, err := net.Dial("tcp", sh.server.Addr())
	if err != nil {
		b.Fatal(err)
	}
	near, far := net.Pipe()
	go delayed(server, far)
	go delayed(far, server)
	code := sh.room.Host().Door().Code
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
	for name, text := range map[string]string{"go.mod": "module example.org/sample\n\ngo 1.26\n", "main.go": emptyMapProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	e, err := engine.New(b.Context(), engine.Options{Dir: dir, Headless: true})
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- e.Run(context.Background()) }()
	for e.State().Phase != session.PhaseStopped {
		time.Sleep(10 * time.Millisecond)
	}
	sh := newSharing(&frontend{}, e, setup{})
	if err := sh.Share("127.0.0.1:0"); err != nil {
		b.Fatal(err)
	}
	go admitAll(b.Context(), sh)
	time.Sleep(3 * time.Second) // the proofs
	before := inUse()
	var all []*participant
	for n := range participants {
		p := enter(b, sh, n)
		for !p.shows("nil-map-write") {
			time.Sleep(time.Millisecond)
		}
		all = append(all, p)
	}
	time.Sleep(time.Second)
	b.ReportMetric(float64(inUse()-before)/participants/(1<<20), "MB/participant")
	n, worst := 0, time.Duration(0)
	for b.Loop() {
		words := fmt.Sprintf("tick%05d", n)
		n++
		began := time.Now()
		if err := sh.room.Host().Say(words, nil); err != nil {
			b.Fatal(err)
		}
		for _, p := range all {
			for !p.shows(words) {
				time.Sleep(200 * time.Microsecond)
			}
		}
		worst = max(worst, time.Since(began))
	}
	b.ReportMetric(float64(worst.Milliseconds()), "worst-ms")
	sh.end(io.EOF)
	e.Do(engine.Quit{})
	if err := <-ended; err != nil {
		b.Error(err)
	}
}

func admitAll(ctx context.Context, sh *sharing) {
	var version uint64
	for {
		v, err := sh.room.Host().Watch(ctx, version)
		if err != nil {
			return
		}
		version = v.Version
		for _, p := range v.People {
			if p.Waiting {
				_ = sh.room.Host().Admit(p.Name)
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
