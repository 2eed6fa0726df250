package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// handlers is how many functions each file of the big program has, and loops how
// many kinds of goroutines it runs.
const (
	handlers = 300
	loops    = 16
)

// bigProgram writes the module whose trace bigTrace is: long files with methods
// that call through values, as servers have them.
func bigProgram(t testing.TB, moved int) Home {
	t.Helper()
	dir := t.TempDir()
	for i := range loops {
		var b strings.Builder
		fmt.Fprintf(&b, "package svc%d\n"+strings.Repeat("\n", moved)+"\ntype Server struct{ next func(id int, name string) error }\n", i)
		for n := range handlers {
			fmt.Fprintf(&b, `
func (s *Server) Handle%d(id int, name string) error {
	for n := 0; n < id; n++ {
		if err := s.next(n, name); err != nil {
			return err
		}
	}
	return s.Handle%d(id, name)
}
`, n, max(n-1, 0))
		}
		write(t, filepath.Join(dir, fmt.Sprintf("svc%d", i), "server.go"), b.String())
	}
	write(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {\n\tserve()\n}\n\nfunc serve() {\n\tpanic(1)\n}\n")
	return Home{Modules: []Module{{"example.org/big/app", dir}}, GoRoot: filepath.Join(dir, "goroot"), ModCache: filepath.Join(dir, "mod")}
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// bigTrace is what bigProgram prints when it panics with so many goroutines,
// about 550 bytes each.
func bigTrace(goroutines int) string {
	var b strings.Builder
	b.WriteString("panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.serve()\n\t/build/app/main.go:8 +0x1d\nmain.main()\n\t/build/app/main.go:4 +0x45\n")
	for i := range goroutines {
		svc, at := i%loops, i%29
		fmt.Fprintf(&b, "\ngoroutine %d [chan receive, %d minutes]:\n", i+20, 2+i%5)
		for depth := range 4 {
			n := at*7 + depth
			line := 11 + 9*n // the call of the one before
			if depth%2 == 1 {
				line = 7 + 9*n // the call of a value
			}
			fmt.Fprintf(&b, "example.org/big/app/svc%d.(*Server).Handle%d(0xc%09x, 0x%x, {0x4b1e2f, 0x%x})\n\t/build/app/svc%d/server.go:%d +0x%x\n",
				svc, n, i, depth, i%9, svc, line, 16+depth)
		}
		fmt.Fprintf(&b, "net/http.(*conn).serve(0xc%09x, {0x7fb1c0, 0xc00011a2d0})\n\t/usr/local/go/src/net/http/server.go:2102 +0x625\n", i)
		fmt.Fprintf(&b, "created by net/http.(*Server).Serve in goroutine 1\n\t/usr/local/go/src/net/http/server.go:3454 +0x485\n")
	}
	b.WriteString("exit status 2\n")
	return b.String()
}

// A panic of a server with 200,000 goroutines is a log of 100 MB.
func BenchmarkReadOneBigTrace(b *testing.B) {
	text := bigTrace(200_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		log, err := Read(b.Context(), strings.NewReader(text))
		if err != nil || len(log.Traces) != 1 || log.Traces[0].Left != 200_001-maxGoroutines {
			b.Fatal(log.Traces[0].Left, len(log.Traces), err)
		}
	}
}

// The files of as many goroutines as are kept of a trace are found.
func BenchmarkLocate(b *testing.B) {
	log, err := Read(b.Context(), strings.NewReader(bigTrace(maxGoroutines-1)))
	if err != nil || len(log.Traces) != 1 {
		b.Fatal(err)
	}
	for name, moved := range map[string]int{"unchanged": 0, "changed": 1} {
		b.Run(name, func(b *testing.B) {
			home := bigProgram(b, moved)
			for b.Loop() {
				located, err := log.Traces[0].Locate(b.Context(), home)
				if missing := located.Missing(); err != nil || (len(missing) > 0) != (moved > 0) || located.Panic.Culprit != 0 {
					b.Fatal(missing, located.Panic.Culprit, err)
				}
			}
		})
	}
}
