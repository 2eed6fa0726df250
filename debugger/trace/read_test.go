package trace

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func read(t *testing.T, text string) Log {
	t.Helper()
	log, err := Read(t.Context(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// brief is a trace in one line.
func brief(tr Trace) string {
	text := fmt.Sprintf("%d: %s %q", tr.Line, tr.Panic.Class, tr.Panic.Message)
	if tr.Truncated {
		text += " truncated"
	}
	if tr.Panic.Recovered {
		text += " recovered"
	}
	for _, p := range tr.Panic.Chain {
		text += fmt.Sprintf(" after %q", p.Message)
	}
	for _, g := range tr.Goroutines {
		text += fmt.Sprintf(" | %d %s", g.ID, strings.Join(strings.Fields(g.State+" "+g.WaitReason+" "+g.Race), " "))
		if g.Waited > 0 {
			text += fmt.Sprintf(" for %s", g.Waited)
		}
		for _, f := range g.Frames {
			if !f.Runtime {
				text += fmt.Sprintf(" %s:%d", f.Function, f.Line)
			}
		}
		if g.CreatedBy.Function != "" {
			text += fmt.Sprintf(" by %s:%d in %d", g.CreatedBy.Function, g.CreatedBy.Line, g.Creator)
		}
		for _, a := range g.Ancestors {
			text += fmt.Sprintf(" from %d %s:%d", a.ID, a.Frames[0].Function, a.Frames[0].Line)
		}
	}
	return text
}

const plain = `panic: assignment to entry in nil map

goroutine 1 [running]:
main.(*Index).Add(0x0, {0x4b1e2f, 0x2}, 0x1)
	/src/index.go:42 +0x1d
main.main()
	/src/main.go:12 +0x45

goroutine 7 [chan receive, 3 minutes]:
main.wait(...)
	/src/wait.go:8
created by main.main in goroutine 1
	/src/main.go:10 +0x20
exit status 2
`

const plainBrief = `nil-map-write "assignment to entry in nil map" | 1 running main.(*Index).Add:42 main.main:12 | 7 waiting chan receive for 3m0s main.wait:8 by main.main:10 in 1`

func TestReadFindsTraces(t *testing.T) {
	prefixed := func(prefix string) string {
		var b strings.Builder
		for i, line := range strings.Split(strings.TrimSuffix(plain, "\n"), "\n") {
			fmt.Fprintln(&b, strings.TrimRight(strings.ReplaceAll(prefix, "#", fmt.Sprint(10+i))+line, " "))
		}
		return b.String()
	}
	docker := func(line string) string {
		text, err := json.Marshal(map[string]string{"log": line + "\n", "stream": "stderr", "time": "2026-11-20T17:02:03.1Z"})
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	mixed, carried := "", ""
	for i, line := range strings.SplitAfter(prefixed("app-1  | "), "\n") {
		mixed += line + fmt.Sprintf("db-1   | row %d\n", i)
	}
	for line := range strings.Lines(plain) {
		carried += docker(strings.TrimSuffix(line, "\n"))
	}
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"mixed":  {mixed, []string{"1: " + plainBrief}},
		"docker": {docker("listening") + carried + docker("bye"), []string{"2: " + plainBrief}},
		"only its head has a time": {"2026/11/20 17:02:03 goroutine 4 [running]:\nmain.f(0x1)\n\t/src/a.go:4 +0x1d\nmain.main()\n\t/src/main.go:12\nother\n",
			[]string{`1: custom "" truncated | 4 running main.f:4 main.main:12`}},
		"nothing":         {"hello\ngoroutine 1 is here\n\tpanic: no\n", nil},
		"plain":           {plain, []string{"1: " + plainBrief}},
		"in a log":        {"starting\nlistening\n" + plain + "bye\n", []string{"3: " + plainBrief}},
		"windows":         {strings.ReplaceAll(plain, "\n", "\r\n"), []string{"1: " + plainBrief}},
		"colored":         {strings.ReplaceAll(plain, "panic:", "\x1b[1;31mpanic:\x1b[0m"), []string{"1: " + plainBrief}},
		"spaces for tabs": {strings.ReplaceAll(plain, "\t", "        "), []string{"1: " + plainBrief}},
		"compose":         {prefixed("app-1  | "), []string{"1: " + plainBrief}},
		"journal":         {prefixed("Nov 20 17:02:# host app[4711]: "), []string{"1: " + plainBrief}},
		"times":           {prefixed("2026-11-20T17:02:#.123Z "), []string{"1: " + plainBrief}},
		"system": {"panic: assignment to entry in nil map\n\ngoroutine 1 gp=0xc000002380 m=0 mp=0x56e0c0 [running]:\nmain.(*Index).Add(0x0, {0x4b1e2f, 0x2}, 0x1)\n\t/src/index.go:42 +0x1d fp=0xc0 sp=0xc1 pc=0x4a\nmain.main()\n\t/src/main.go:12 +0x45 fp=0xc2 sp=0xc3 pc=0x4b\n",
			[]string{`1: nil-map-write "assignment to entry in nil map" | 1 running main.(*Index).Add:42 main.main:12`}},
		"labels": {"panic: x\n\ngoroutine 3 [running] {\"job\": \"7\"}:\nmain.f()\n\t/src/a.go:4 +0x1d\n", []string{`1: custom "x" | 3 running main.f:4`}},
		"blocks": {"panic: x\n\ngoroutine 1 [running]:\nmain.sum(...)\n\t/src/a.go:4\ngithub.com/pausetui/pausetui/pause.attempt[...]({0x1, 0x2})\n\t/mod/pause/run.go:90 +0x1d\ngithub.com/pausetui/pausetui/pause.Run[...]({0x1, 0x2})\n\t/mod/pause/run.go:30 +0x1d\nmain.main()\n\t/src/a.go:9 +0x1d\n",
			[]string{`1: custom "x" | 1 running main.sum:4 main.main:9`}},
		"two": {plain + "\nagain\npanic: two\n\ngoroutine 9 [running]:\nmain.g()\n\t/src/b.go:5 +0x1d\n",
			[]string{"1: " + plainBrief, `17: custom "two" | 9 running main.g:5`}},
		"chain": {"panic: one [recovered]\n\tpanic: two\n\ngoroutine 9 [running]:\nmain.g()\n\t/src/b.go:5 +0x1d\n", []string{`1: custom "two" after "one" | 9 running main.g:5`}},
		"served": {"2026/11/20 17:02:03 http: panic serving 127.0.0.1:5: boom\ngoroutine 9 [running]:\nnet/http.(*conn).serve.func1()\n\t/go/src/net/http/server.go:1900 +0x1d\nmain.g()\n\t/src/b.go:5 +0x1d\n",
			[]string{`1: custom "boom" recovered | 9 running net/http.(*conn).serve.func1:1900 main.g:5`}},
		"no head": {"…\nmain.(*Index).Add(0x0)\n\t/src/index.go:42 +0x1d\nmain.main()\n\t/src/main.go:12 +0x45\n", []string{`3: custom "" truncated | 0 unknown main.(*Index).Add:42 main.main:12`}},
		"no end":  {strings.TrimSuffix(plain[:strings.Index(plain, "main.main()")+11], "\n") + "\n", []string{`1: nil-map-write "assignment to entry in nil map" truncated | 1 running main.(*Index).Add:42`}},
		"logger":  {"ERROR cannot serve\nmain.(*Index).Add\n\t/src/index.go:42\nmain.main\n\t/src/main.go:12\nnext\n", []string{`3: custom "" truncated | 0 unknown main.(*Index).Add:42 main.main:12`}},
		"json": {`{"level":"error","ts":1,"stack":"goroutine 4 [running]:\nmain.f(0x1)\n\t/src/a.go:4 +0x1d\nmain.main()\n\t/src/main.go:12\n","msg":"panic: it broke"}` + "\n",
			[]string{`1: custom "it broke" | 4 running main.f:4 main.main:12`}},
		"ancestors": {"panic: x\n\ngoroutine 3 [running]:\nmain.f()\n\t/src/a.go:4 +0x1d\ncreated by main.g in goroutine 2\n\t/src/a.go:9 +0x1d\n[originating from goroutine 2]:\nmain.g(...)\n\t/src/a.go:9\nmain.main(...)\n\t/src/a.go:20\n[originating from goroutine 1]:\nmain.h(...)\n\t/src/a.go:30\n",
			[]string{`1: custom "x" | 3 running main.f:4 by main.g:9 in 2 from 2 main.g:9 from 1 main.h:30`}},
		"race": {"ok\n==================\nWARNING: DATA RACE\nWrite at 0x00c000014108 by goroutine 7:\n  main.main.func1()\n      /src/r.go:9 +0x3c\n\nPrevious read at 0x00c000014108 by main goroutine:\n  main.main()\n      /src/r.go:12 +0x9e\n\nGoroutine 7 (running) created at:\n  main.main()\n      /src/r.go:8 +0x92\n==================\nFound 1 data race(s)\n",
			[]string{`3: fatal "data race: write by goroutine 7, previous read by goroutine 1" | 7 running write main.main.func1:9 by main.main:8 in 0 | 1 previous read main.main:12`}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, tr := range read(t, tt.text).Traces {
				got = append(got, brief(tr))
			}
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// Whatever the runtime printed for package crash is read here alike.
func TestReadWhatTheRuntimePrints(t *testing.T) {
	files, err := filepath.Glob("../crash/testdata/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		log := read(t, string(text))
		if len(log.Traces) != 1 || len(log.Traces[0].Goroutines) == 0 || log.Traces[0].Panic.Message == "" || log.Traces[0].Truncated {
			t.Errorf("%s: %d traces, %.600s", file, len(log.Traces), fmt.Sprint(log.Traces))
		}
	}
}

func TestTheReceiverIsKnown(t *testing.T) {
	f := read(t, plain).Traces[0].Goroutines[0].Frames[0]
	if len(f.Args) != 3 || f.Args[0].Name != "receiver" || !f.Args[0].Nil || f.Args[0].Type != "*Index" || f.Args[1].Value != "{0x4b1e2f, 0x2}" || f.Args[2].Value != "0x1" {
		t.Errorf("args %+v", f.Args)
	}
}

// A log of any size is read in bounded memory, and the newest traces are kept.
func TestManyTracesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 700 {
		fmt.Fprintf(&b, "panic: number %d\n\ngoroutine 9 [running]:\nmain.g()\n\t/src/b.go:5 +0x1d\nexit status 2\n", i)
	}
	log := read(t, b.String())
	if n := len(log.Traces); n != maxTraces || log.Left != 200 || log.Traces[n-1].Panic.Message != "number 699" || log.Traces[0].Panic.Message != "number 0" {
		t.Errorf("%d kept, %d left out, the last %s", n, log.Left, brief(log.Traces[n-1]))
	}
	long := read(t, strings.Repeat("x", 3<<20)+"\n"+plain)
	if len(long.Traces) != 1 {
		t.Errorf("after a long line: %d traces", len(long.Traces))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(plain)
	f.Add("{\"stack\":\"goroutine 4 [running]:\\nmain.f()\\n\\t/a.go:4\"}")
	f.Add("app | " + strings.ReplaceAll(plain, "\n", "\napp | "))
	f.Add(`{"log":"goroutine 4 [running]:\n","stream":"stderr"}`)
	f.Add("WARNING: DATA RACE\nWrite at 0x1 by goroutine 7:\n  a.b()\n      /r.go:9\n")
	f.Fuzz(func(t *testing.T, text string) {
		log, err := Read(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range log.Traces {
			if len(tr.Goroutines) == 0 || tr.Line < 1 || tr.Line > log.Lines || tr.Panic.Class == "" {
				t.Errorf("impossible trace %+v", tr)
			}
			tr.Identity()
			located := locate(t, tr, Home{Modules: []Module{{"example.org/app", t.TempDir()}}})
			stop, err := NewTarget(located, time.Now).Found(t.Context())
			if err != nil || stop.Selected >= len(stop.Frames) || stop.Goroutine == 0 || tr.Title() == "" {
				t.Errorf("impossible stop %+v, %v", stop, err)
			}
			if strings.ContainsRune(tr.Text, 0x1b) {
				t.Errorf("a control sequence came through: %q", tr.Text)
			}
		}
	})
}

// A stack that a program has printed of itself is a crash where it holds a
// panic, and of the class that the log, or the runtime's functions, say.
func TestStacksThatProgramsPrint(t *testing.T) {
	const stack = "goroutine 34 [running]:\nruntime/debug.Stack()\n\t/go/src/runtime/debug/stack.go:26 +0x5e\nmain.handle.func1()\n\t/src/a.go:9 +0x2c\npanic({0x4a1, 0xc0})\n\t/go/src/runtime/panic.go:860 +0x13a\n"
	for name, tt := range map[string]struct {
		text, title, class string
		died               bool
	}{
		"said":       {"recovered: runtime error: index out of range [5] with length 3\n" + stack + "main.handle()\n\t/src/a.go:14 +0x2c\n", "panic (recovered): runtime error: index out of range [5] with length 3", "index-out-of-range", true},
		"by frames":  {"oops\n" + stack + "runtime.goPanicIndex(0x5, 0x3)\n\t/go/src/runtime/panic.go:115 +0x74\nmain.handle()\n\t/src/a.go:14 +0x2c\n", "panic: index-out-of-range", "index-out-of-range", true},
		"of its own": {"oops\n" + stack + "main.handle()\n\t/src/a.go:14 +0x2c\n", "panic: custom", "custom", true},
		"no panic":   {"goroutine 34 [running]:\nmain.handle()\n\t/src/a.go:14 +0x2c\n", "stack of goroutine 34", "custom", false},
	} {
		t.Run(name, func(t *testing.T) {
			tr := read(t, tt.text).Traces[0]
			if tr.Title() != tt.title || string(tr.Panic.Class) != tt.class || tr.Died() != tt.died {
				t.Errorf("%q %s %v", tr.Title(), tr.Panic.Class, tr.Died())
			}
			if again := read(t, tr.Text).Traces; len(again) != 1 || again[0].Title() != tr.Title() || again[0].Identity() != tr.Identity() {
				t.Errorf("its text is read as %v, not as %q", again, tr.Title())
			}
		})
	}
}

// What is kept of a trace is read as the same trace.
func TestTheTextOfATraceIsTheTrace(t *testing.T) {
	log := read(t, strings.ReplaceAll(plain, "panic:", "2026/11/20 17:02:03 http: panic serving 127.0.0.1:5:")+"\n"+plain)
	if len(log.Traces) != 2 {
		t.Fatal(len(log.Traces), "traces")
	}
	for _, tr := range log.Traces {
		again := read(t, tr.Text).Traces
		tr.Line = 1
		if len(again) != 1 || brief(again[0]) != brief(tr) {
			t.Errorf("%q is read as %v", tr.Text, again)
		}
	}
}

func TestDistinct(t *testing.T) {
	other := "panic: two\n\ngoroutine 9 [running]:\nmain.g()\n\t/src/b.go:5 +0x1d\nexit status 2\n"
	list := read(t, plain+other+plain+plain).Distinct()
	if len(list) != 2 || list[0].Times != 3 || list[1].Times != 1 || list[0].FirstLine != 1 || list[0].Line <= list[1].Line {
		t.Errorf("%d: %+v", len(list), list)
	}
}

// However much a log holds, what is kept of it is bounded.
func TestLargeTracesAreBounded(t *testing.T) {
	text := strings.Repeat("panic: big\n\n"+strings.Repeat("goroutine 9 [running]:\nmain.g(0x1)\n\t/src/b.go:5 +0x1d\n\n", 100)+"exit status 2\n", 20)
	most := 8 * len(text) / 20
	log, err := (&scanner{most: most}).read(t.Context(), strings.NewReader(text))
	kept := 0
	for _, tr := range log.Traces {
		kept += len(tr.Text)
	}
	if n := len(log.Traces); err != nil || kept > most || n+log.Left != 20 || n < 7 || log.Traces[0].Line != 1 || log.Traces[n-1].Line < 19*402 {
		t.Errorf("%d of %d bytes in %d traces kept, %d left out, %v", kept, most, n, log.Left, err)
	}
}

// Goroutines that are not kept are counted, whatever the bound is.
func TestGoroutinesThatAreLeftOutAreCounted(t *testing.T) {
	deep := strings.Repeat("main.down()\n\t/src/"+strings.Repeat("x", 2000)+".go:9 +0x1d\n", 90)
	for name, tt := range map[string]struct {
		stack string
		count int
	}{"many": {"main.work()\n\t/src/work.go:9 +0x1d\n", maxGoroutines + 20}, "large": {deep, 100}} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("panic: enough\n")
			for i := range tt.count {
				fmt.Fprintf(&b, "\ngoroutine %d [running]:\n%s", i+1, tt.stack)
			}
			log := read(t, b.String())
			if len(log.Traces) != 1 || log.Traces[0].Left == 0 || log.Traces[0].Left+len(log.Traces[0].Goroutines) != tt.count {
				t.Errorf("%d traces, %d goroutines and %d left out, of %d", len(log.Traces), len(log.Traces[0].Goroutines), log.Traces[0].Left, tt.count)
			}
		})
	}
}

// Noise is read at the speed of a disk.
func BenchmarkReadNoise(b *testing.B) {
	text := strings.Repeat(`{"level":"info","ts":"2026-11-20T17:02:03Z","msg":"GET /orders/1003 200 in 3.2ms"}`+"\n", 20_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Read(b.Context(), strings.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
