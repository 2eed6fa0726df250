package crash

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func own(f debugger.Frame) bool { return strings.HasPrefix(f.File, "/src/") }

// The files of testdata are what programs built by Go 1.26 printed.
func TestParse(t *testing.T) {
	for _, tt := range []struct {
		file      string
		class     debugger.Class
		message   string
		goroutine debugger.GoroutineID
		culprit   string
		line      int
	}{
		{"nilmap", debugger.NilMapWrite, "assignment to entry in nil map", 1, "main.(*index).Add", 15},
		{"system", debugger.NilMapWrite, "assignment to entry in nil map", 1, "main.(*index).Add", 15},
		{"nilptr", debugger.NilDereference, "runtime error: invalid memory address or nil pointer dereference", 1, "main.(*index).Add", 15},
		{"generic", debugger.IndexOutOfRange, "runtime error: index out of range [3] with length 1", 1, "main.each[...]", 21},
		{"repanic", debugger.Custom, "wrapped: assignment to entry in nil map", 1, "main.repanic", 30},
		{"again", debugger.Custom, "same", 1, "main.again", 38},
		{"multi", debugger.Custom, "one\ntwo\nthree", 1, "main.main", 58},
		{"closure", debugger.Custom, "in closure", 1, "main.main.func5", 89},
		{"deadlock", debugger.Deadlock, "all goroutines are asleep - deadlock!", 1, "main.main", 63},
		{"stack", debugger.StackOverflow, "stack overflow", 1, "main.deep", 19},
		{"maprace", debugger.ConcurrentMap, "concurrent map writes", 11, "main.main.func2", 71},
		{"goroutine", debugger.ClosedChannel, "close of closed channel", 8, "main.main.func3", 78},
		{"unlock", debugger.UnlockUnlocked, "sync: unlock of unlocked mutex", 1, "main.main", 87},
		{"http", debugger.NilMapWrite, "assignment to entry in nil map", 5, "main.(*index).Add", 15},
		{"test", debugger.NilMapWrite, "assignment to entry in nil map", 20, "example.com/crashes.(*index).Add", 15},
	} {
		t.Run(tt.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", tt.file+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{string(text), strings.ReplaceAll(string(text), "\n", "\r\n")} {
				c, ok := Parse([]byte(text))
				if !ok {
					t.Fatal("no crash found")
				}
				if c.Class != tt.class || c.Message != tt.message || c.Goroutine() != tt.goroutine {
					t.Errorf("got %s %q in goroutine %d", c.Class, c.Message, c.Goroutine())
				}
				if again := tt.file == "again"; c.Repanicked != again { // in a test it is the testing package that does it
					t.Errorf("panicked again: %v", c.Repanicked)
				}
				if f, ok := c.Culprit(own); !ok || f.Function != tt.culprit || f.Line != tt.line {
					t.Errorf("culprit %+v of %+v", f, c.Frames())
				}
				if before := strings.TrimSpace(text[:c.Start]); !strings.HasPrefix(before, "before") && tt.file != "test" || strings.Contains(before, "panic") {
					t.Errorf("printed before the crash: %q", before)
				}
			}
		})
	}
}

func TestWhatBelongsToACrash(t *testing.T) {
	read := func(name string) Crash {
		text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		c, _ := Parse(text)
		return c
	}
	if c := read("repanic"); len(c.Chain) != 1 || c.Chain[0].Class != debugger.NilMapWrite || !c.Chain[0].Recovered {
		t.Errorf("chain %+v", c.Chain)
	}
	if c := read("nilptr"); !strings.HasPrefix(c.Signal, "SIGSEGV: segmentation violation") {
		t.Errorf("signal %q", c.Signal)
	}
	if c := read("http"); !c.Recovered {
		t.Error("a served panic is recovered")
	}
	if c := read("deadlock"); len(c.Goroutines) != 2 || c.Goroutines[1].State != "sync.Mutex.Lock" {
		t.Errorf("goroutines %+v", c.Goroutines)
	}
}

// A program that recovers a panic may print its stack, after words of its own.
func TestLoggedPanics(t *testing.T) {
	for _, tt := range []struct {
		file    string
		class   debugger.Class
		message string
		culprit string
		line    int
	}{
		{"recovered_bubble", debugger.IndexOutOfRange, "runtime error: index out of range [3] with length 0", "main.at", 18},
		{"recovered_logged", debugger.NilMapWrite, "assignment to entry in nil map", "main.(*index).Add", 14},
		{"recovered_own", debugger.Custom, "out of cheese", "main.own", 47},
	} {
		t.Run(tt.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", tt.file+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			all := ParseAll(text)
			if len(all) != 1 {
				t.Fatalf("found %d crashes", len(all))
			}
			c := all[0]
			if !c.Recovered || c.Class != tt.class || c.Message != tt.message {
				t.Errorf("got %s %q, recovered %v", c.Class, c.Message, c.Recovered)
			}
			if f, ok := c.Culprit(own); !ok || f.Function != tt.culprit || f.Line != tt.line {
				t.Errorf("culprit %+v of %+v", f, c.Frames())
			}
			if before, after := text[:c.Start], text[c.End:]; strings.TrimSpace(string(before)) != "before" || strings.TrimSpace(string(after)) != "after" {
				t.Errorf("printed before %q, after %q", before, after)
			}
		})
	}
}

func TestNamesAreUnescaped(t *testing.T) {
	text := "panic: x\n\ngoroutine 1 [running]:\ngopkg.in/yaml%2ev3.(*Node).fail(0xc0)\n\t/src/yaml.go:1 +0x1\n"
	if c, _ := Parse([]byte(text)); len(c.Frames()) != 1 || c.Frames()[0].Function != "gopkg.in/yaml.v3.(*Node).fail" {
		t.Errorf("%+v", c)
	}
}

func TestAProgramThatPrintsPanicIsNoCrash(t *testing.T) {
	for _, text := range []string{"", "panic: x\n", "panic: x\nmore\n", "panic: not really\ngoroutine 1 [running]\n", "goroutine 1 [running]:\nmain.main()\n\t/src/x.go:1\n", "goroutine 1 [running]:\nruntime/debug.Stack()\n\t/go/stack.go:26\nmain.main()\n\t/src/x.go:1\n"} {
		if c, ok := Parse([]byte(text)); ok {
			t.Errorf("%q gives %+v", text, c)
		}
	}
}

func TestTheUnrecoveredCrashEndsTheProgram(t *testing.T) {
	served, _ := os.ReadFile("testdata/http.txt")
	fatal, _ := os.ReadFile("testdata/maprace.txt")
	c, ok := Parse(append(append([]byte{}, fatal...), served...))
	if !ok || c.Class != debugger.ConcurrentMap {
		t.Errorf("got %+v", c)
	}
	if all := ParseAll(append(append([]byte{}, fatal...), served...)); len(all) != 2 {
		t.Errorf("found %d crashes", len(all))
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			f.Add(text)
		}
	}
	f.Add([]byte("panic: \n\tpanic: [recovered]\n\n[signal \ngoroutine 99999999999999999999 [a]:\nf()\n\t:1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, c := range ParseAll(text) {
			if c.Start < 0 || c.Start > c.End || c.End > len(text) || len(c.Goroutines) == 0 || c.Class == "" {
				t.Errorf("impossible crash %+v", c)
			}
			c.Culprit(own)
		}
	})
}
