package instrument_test

import (
	"bytes"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/syntax"
)

const program = `package p

func f(x *int, list []int) int {
	if x == nil {
		return 0
	}
	switch *x {
	case 1:
		list[0]++
	}
	return list[*x]
}
`

func TestMarksKeepLinesAndParse(t *testing.T) {
	at := func(text string) int { return strings.Index(program, text) }
	for want, put := range map[string]func(s *instrument.Source){
		"{ pausetuiMark(0, true); \n\t\treturn 0":                                     func(s *instrument.Source) { s.Reached(at("\n\t\treturn 0"), 0, true) },
		"list[0]++; pausetuiMark(1, false)":                                           func(s *instrument.Source) { s.Done(at("++")+2, 1) },
		"int { pausetuiMark(2, false); \n":                                            func(s *instrument.Source) { s.Called(s.Function("f"), 2) },
		"} else { pausetuiMark(3, false) }\n":                                         func(s *instrument.Source) { s.Else(at("\n\tswitch"), 3, false) },
		"; default: pausetuiMark(4, false); }\n\treturn":                              func(s *instrument.Source) { s.Default(at("}\n\treturn list"), 4, false) },
		"if (pausetuiTest(5, bool(x == nil)) == true) {":                              func(s *instrument.Source) { s.Fails(at("x == nil"), at(" {\n\t\treturn 0"), 5, "") },
		"if (x == nil || pausetuiTest(6, bool(!(len(list) > 0))) == true && false) {": func(s *instrument.Source) { s.Fails(at("x == nil"), at(" {\n\t\treturn 0"), 6, "len(list) > 0") },
		"if pausetuiWithin(7, list, int(x == nil)) {":                                 func(s *instrument.Source) { s.Within(at("x == nil"), at(" {\n\t\treturn 0"), 7, "list") },
		"int { defer pausetuiUnwinds(); \n":                                           func(s *instrument.Source) { s.Unwinds(s.Function("f")) },
		"pausetuiReturns = true; return list":                                         func(s *instrument.Source) { s.Runs(s.Function("f").Body.List[2]) },
	} {
		s := instrument.Parse(program)
		put(s)
		got := s.Marked()
		if _, err := format.Source([]byte(got)); err != nil || !strings.Contains(got, want) || strings.Count(got, "\n") != strings.Count(program, "\n") {
			t.Errorf("%v: no %q in\n%s", err, want, got)
		}
	}
}

func TestEndsOfMain(t *testing.T) {
	const head = "package main\n\nimport \"os\"\n\n"
	for name, tt := range map[string]struct{ before, after, want string }{
		"main ends in it": {"func main() { os.Exit(run()) }", "func main() { os.Exit(run()) }", "func main() { pausetuiBegin(); func() {  os.Exit(pausetuiExit(510, run()))  }(); pausetuiMark(510, false); }"},
		"elsewhere":       {"func quit(n int) { os.Exit(n) }", "func quit(n int) { n = 2; os.Exit(n) }", "func quit(n int) { n = 2; os.Exit(pausetuiExit(509, n)) }"},
		"computed":        {"func quit() { os.Exit(run()) }", "func quit() { os.Exit(start(1)) }", "func quit() { os.Exit(pausetuiExit(509, start(1))) }"},
		"another status":  {"func quit() { os.Exit(2) }", "func quit() { os.Exit(0) }", "func quit() { os.Exit(0) }"},
		"another name":    {"func quit() { os.Exit(failed) }", "func quit() { os.Exit(done) }", "func quit() { os.Exit(done) }"},
		"beside it":       {"func quit() { os.Exit(2) }", "func quit() { os.Exit(0); os.Exit(3) }", "func quit() { os.Exit(0); os.Exit(pausetuiExit(509, 3)) }"},
		"a new one":       {"func quit() {}", "func quit() { os.Exit(0) }", "func quit() { os.Exit(0) }"},
	} {
		s := instrument.Parse(head + tt.after + "\n")
		s.Main()
		s.Exits(syntax.Parse(head + tt.before + "\n"))
		if got := strings.TrimSpace(strings.TrimPrefix(s.Marked(), head)); got != tt.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if !instrument.Ends(head+"func main() {}\n") || !instrument.Ends("package p\n\nimport sys \"os\"\n\nvar _ = func() { sys.Exit(1) }\n") || instrument.Ends("package p\n\nfunc main() {}\n") {
		t.Error("what ends a program")
	}
}

func TestEndsOfTests(t *testing.T) {
	const test = "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {}\n"
	for name, tt := range map[string]struct {
		files     map[string]string
		ends, run bool
		want      []string // of what is added
	}{
		"no TestMain":        {map[string]string{"p_test.go": test}, true, true, []string{"p_test.go", instrument.First, "pausetui_marks_test.go"}},
		"one that runs them": {map[string]string{"p_test.go": test + "\nfunc TestMain(m *testing.M) { m.Run() }\n"}, true, true, []string{"p_test.go", instrument.First, "pausetui_marks_test.go"}},
		"others run them":    {map[string]string{"p_test.go": test + "\nfunc TestMain(m *testing.M) { hand(m) }\n"}, false, true, []string{"p_test.go", instrument.First}},
		"from outside":       {map[string]string{"p_test.go": strings.Replace(test, "package p", "package p_test", 1)}, true, true, []string{"p_test.go", instrument.First, "pausetui_marks_counter_test.go", "pausetui_marks_test.go"}},
		"another test":       {map[string]string{"p_test.go": strings.Replace(test, "TestF", "TestG", 1)}, true, false, []string{instrument.First, "pausetui_marks_test.go"}},
	} {
		added, ends, run := instrument.Tests("p", "TestF", tt.files)
		if ends != tt.ends || run != tt.run || len(added) != len(tt.want) {
			t.Errorf("%s: ends %t, run %t, %d files", name, ends, run, len(added))
		}
		for _, file := range tt.want {
			if _, err := format.Source([]byte(added[file])); err != nil || added[file] == "" {
				t.Errorf("%s, %s: %v\n%s", name, file, err, added[file])
			}
		}
	}
	if added := instrument.Test("p_test.go", test, "TestG"); added != nil {
		t.Errorf("a test that is not there: %v", added)
	}
}

// What code is counted: variables and init before main begins, goroutines, files that were
// generated from others, with cgo, and around functions in assembly, which have no body.
// The counts are there after a panic, and its trace has the lines of the source.
func TestCountsSurviveAPanic(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"main.go": "package main\n\nimport (\n\t\"example.com/m/fast\"\n\t\"example.com/m/low\"\n)\n\nvar early = step()\n\nfunc init() { step() }\n\n" +
			"func main() {\n\tdone := make(chan int)\n\tgo func() { done <- step() }()\n\t<-done\n\tgenerated()\n\tlow.Call()\n\tfast.Twice(2)\n\tpanic(\"end\")\n}\n\nfunc step() int { return 1 }\n",
		"parser.go":    "// Code generated by goyacc. DO NOT EDIT.\n\npackage main\n\n//line grammar.y:7\nfunc generated() {}\n",
		"low/low.go":   "package low\n\nfunc Call() int { return 1 }\n",
		"fast/fast.go": "package fast\n\nfunc Twice(n int) int { return add(n, n) }\n\nfunc add(a, b int) int { return a + b }\n",
	}
	if _, err := exec.LookPath("gcc"); err == nil {
		files["low/low.go"] = "package low\n\n// static int one() { return 1; }\nimport \"C\"\n\nfunc Call() int { return int(C.one()) }\n"
	}
	if runtime.GOARCH == "amd64" {
		files["fast/fast.go"] = "package fast\n\nfunc Twice(n int) int { return add(n, n) }\n\nfunc add(a, b int) int\n"
		files["fast/add_amd64.s"] = "TEXT ·add(SB), $0-24\n\tMOVQ a+0(FP), AX\n\tADDQ b+8(FP), AX\n\tMOVQ AX, ret+16(FP)\n\tRET\n"
	}
	dir := testsupport.TempDir(t)
	testsupport.Files(t, dir, files)
	overlay := instrument.Overlay{}
	want := map[string]uint64{"init": 1, "main": 1, "step": 3, "generated": 1, "Call": 1, "Twice": 1}
	points := map[string]int{}
	for name, text := range files {
		s := instrument.Parse(text)
		if s == nil {
			continue
		}
		s.Main()
		for _, fn := range s.Declared() {
			if want[fn.Name.Name] > 0 {
				points[fn.Name.Name] = len(points)
				s.Called(fn, points[fn.Name.Name])
			}
		}
		overlay.Add(filepath.Join(dir, name), s)
	}
	binary := filepath.Join(dir, "program")
	if _, err := build.Build(t.Context(), build.Spec{Dir: dir, Package: ".", Output: binary, Overlay: overlay}, nil); err != nil {
		t.Fatal(err)
	}
	counters, err := instrument.NewCounters(filepath.Join(dir, "counters"))
	if err != nil {
		t.Fatal(err)
	}
	defer counters.Close()
	var stderr bytes.Buffer
	run := exec.Command(binary)
	run.ExtraFiles, run.Stderr = []*os.File{counters.File}, &stderr
	if err := run.Run(); err == nil || !strings.Contains(stderr.String(), "main.go:19") {
		t.Errorf("it ended with %v\n%s", err, stderr.String())
	}
	for name, n := range want {
		if got := counters.At(points[name]); got != n {
			t.Errorf("%s was called %d times, counted %d", name, n, got)
		}
	}
	if counters.At(instrument.Begins) != 1 || counters.At(instrument.Returns) != 0 {
		t.Errorf("main began %d times and returned %d times", counters.At(instrument.Begins), counters.At(instrument.Returns))
	}
}
