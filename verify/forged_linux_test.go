package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestExitsOfOthersAreNotVerified: the program ends in code that was there
// before, or in the standard library's.
func TestExitsOfOthersAreNotVerified(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashingAlone(t, "index")
	const quit = "package main\n\nimport \"os\"\n\nfunc quit(code int) {\n\tif code >= 0 {\n\t\tos.Exit(code)\n\t}\n}\n\nvar _ = quit\n"
	if err := os.WriteFile(filepath.Join(f.dir, "quit.go"), []byte(quit), 0o600); err != nil {
		t.Fatal(err)
	}
	v := f.verifier(t, execute.Options{})
	const prints = "\tos.Stdout.WriteString(\"reading\\nwords: 2\\n2\\n\")\n"
	for name, text := range map[string]string{
		"quit": "package main\n\nimport \"os\"\n\nfunc init() {\n" + prints + "\tquit(0)\n}\n",
		"flag": "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n)\n\nfunc init() {\n" + prints + "\t_ = flag.CommandLine.Parse([]string{\"-h\"})\n}\n",
	} {
		if got := check(t, v, hostile("init.go", text)); got.Verified || got.Effect != verdict.Hides {
			t.Errorf("%s is %q: %+v", name, got.Label(), got.Checks)
		}
	}
}

// TestWhoPretendsToServeIsNotVerified: a deadlock is not seen while something
// waits for connections, and that this is meant is the candidate's word alone.
func TestWhoPretendsToServeIsNotVerified(t *testing.T) {
	needSandbox(t)
	f := crashing(t, "gather")
	c := patch.Candidate{ID: "c9", Edits: []patch.Edit{{File: "init.go", Create: true,
		After: "package main\n\nimport \"net\"\n\nfunc init() {\n\tif l, err := net.Listen(\"tcp\", \"127.0.0.1:0\"); err == nil {\n\t\tgo func() { _, _ = l.Accept() }()\n\t}\n}\n"}}}
	v := f.prove(t, execute.Options{Timeout: 2 * time.Second}, c)
	if check, _ := verdict.Find(v.Checks, verdict.Rerun); v.Verified || check.Status == verdict.Pass {
		t.Errorf("it is %q: %+v", v.Label(), v.Checks)
	}
}

// finishing is a library that ends the program under an innocent name.
const finishing = "package done\n\nimport \"os\"\n\nfunc Finish() { os.Exit(0) }\n"

// withFinishing adds that library to a fixture of its own, as a vendored module of
// others.
func (f *fixture) withFinishing(t *testing.T, pkg string) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(f.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(f.dir, "go.mod"), string(mod)+"\nrequire example.org/done v1.0.0\n")
	write(t, filepath.Join(f.dir, "vendor/modules.txt"), "# example.org/done v1.0.0\n## explicit\nexample.org/done\n")
	write(t, filepath.Join(f.dir, "vendor/example.org/done/done.go"), finishing)
	// The go command remembers what it reads, unless that has only just been written.
	then := time.Now().Add(-time.Hour)
	for _, name := range []string{"done.go", "."} {
		if err := os.Chtimes(filepath.Join(f.dir, "vendor/example.org/done", name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	f.flags = []string{"-mod=vendor"}
	f.subject.Build.Flags = append(f.subject.Build.Flags, f.flags...)
	write(t, filepath.Join(f.dir, "done.go"), "package "+pkg+"\n\nimport \"example.org/done\"\n\nvar _ = done.Finish\n")
}

// finishes is a candidate that prints and ends the program before main begins.
func finishes(pkg, prints string) patch.Candidate {
	return hostile("init.go", "package "+pkg+"\n\nimport (\n\t\"os\"\n\n\t\"example.org/done\"\n)\n\nfunc init() {\n\tos.Stdout.WriteString(\""+prints+"\")\n\tdone.Finish()\n}\n")
}

// TestMainHasToReturn: exit 0 proves nothing where main does not return, whatever
// ended the program. A model's proper fix is verified as before.
func TestMainHasToReturn(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashingAlone(t, "index")
	f.withFinishing(t, "main")
	v := f.verifier(t, execute.Options{})
	got := check(t, v, finishes("main", `reading\nwords: 2\n2\n`))
	if got.Verified || got.Effect != verdict.Hides || !strings.Contains(got.How, "before main returns") {
		t.Errorf("the library's end is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
	fixed := f.edits(t, "index.go", "\treturn &Index{}", makeMap)
	fixed.Source.Provider = "ollama"
	if got := check(t, v, fixed); !got.Verified || got.Effect != verdict.Repairs {
		t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}

// TestPanicsThatALibraryRecovers: package fmt recovers what panics in a method String, and
// no edit shows it.
func TestPanicsThatALibraryRecovers(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := lay(t, "gather", t.TempDir())
	write(t, filepath.Join(f.dir, "main.go"), "package main\n\nimport \"fmt\"\n\ntype item struct{ price *int }\n\nfunc price(i item) int {\n\treturn *i.price * 2\n}\n\n"+
		"func total(items []item) (sum int) {\n\tfor _, i := range items {\n\t\tsum += price(i)\n\t}\n\treturn sum\n}\n\n"+
		"func main() {\n\tn := 4\n\titems := []item{{&n}, {}}\n\tfmt.Println(total(items))\n}\n")
	write(t, filepath.Join(f.dir, "tool.go"), "package main\n\nimport \"os/exec\"\n\nfunc tool(script string) error { return exec.Command(\"/bin/sh\", \"-c\", script).Start() }\n")
	f.build(t, ".", false)
	v := f.verifier(t, execute.Options{})
	hidden := f.edits(t, "main.go", "fmt.Println(total(items))", "fmt.Println(sum(items))",
		"main.go", "func main() {", "type sum []item\n\nfunc (s sum) String() string { return fmt.Sprint(total(s)) }\n\nfunc main() {")
	hidden.Source.Provider = "ollama"
	if got := check(t, v, hidden); got.Verified || got.Effect != verdict.Hides || !strings.Contains(got.How, "panic again") {
		t.Errorf("what recovers is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
	script := fmt.Sprintf("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 8 /dev/zero | dd bs=8 seek=%d conv=notrunc >&3; sleep 0.05; done", 1+instrument.Unwound)
	counts := f.edits(t, "main.go", "func main() {\n", "func main() {\n\tdefer time.Sleep(400 * time.Millisecond)\n", "main.go", "\"fmt\"\n", "\"fmt\"\nimport \"time\"\n",
		"main.go", "fmt.Println(total(items))", "fmt.Println(sum(items))",
		"main.go", "type item", "var _ = tool("+strconv.Quote(script)+")\n\ntype sum []item\n\nfunc (s sum) String() string { return fmt.Sprint(total(s)) }\n\ntype item")
	counts.Source.Provider = "ollama"
	if got := check(t, v, counts); got.Verified || !strings.Contains(got.How, "panic again") {
		t.Errorf("what resets a count is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
	fixed := f.edits(t, "main.go", "{&n}, {}", "{&n}, {&n}")
	fixed.Source.Provider = "ollama"
	if got := check(t, v, fixed); !got.Verified || got.Effect != verdict.Repairs {
		t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}

// TestExitsThatWereThere speak for the end that they make, and for no other: not
// before their status is known, and not because the program has one somewhere.
func TestExitsThatWereThere(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	for name, ends := range map[string]string{
		"at the end of main": "func main() { os.Exit(run()) }\n",
		"in a function":      "func main() { quit(run()) }\n\nfunc quit(code int) { os.Exit(code) }\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := lay(t, "gather", t.TempDir())
			write(t, filepath.Join(f.dir, "main.go"), "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\n"+ends+
				"\nfunc run() int {\n\tresults := make(chan int)\n\tresults <- 3\n\tfmt.Println(<-results)\n\treturn 0\n}\n")
			f.withFinishing(t, "main")
			f.build(t, ".", false)
			v := f.verifier(t, execute.Options{})
			if got := check(t, v, finishes("main", `3\n`)); got.Verified || got.Effect != verdict.Hides {
				t.Errorf("another end is %q, %s: %+v", got.Label(), got.How, got.Checks)
			}
			if got := check(t, v, f.edits(t, "main.go", "make(chan int)", "make(chan int, 1)")); !got.Verified || got.Effect != verdict.Repairs {
				t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
			}
		})
	}
}

// TestAnotherStatusIsAnotherExit: the exit that was there said that something failed.
func TestAnotherStatusIsAnotherExit(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := lay(t, "gather", t.TempDir())
	write(t, filepath.Join(f.dir, "main.go"), "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar ready = true\n\n"+
		"func check() {\n\tif !ready {\n\t\tfmt.Println(\"not ready\")\n\t\tdefer os.Exit(1)\n\t}\n}\n\n"+
		"func main() {\n\tcheck()\n\tresults := make(chan int)\n\tresults <- 3\n\tfmt.Println(<-results)\n}\n")
	f.build(t, ".", false)
	v := f.verifier(t, execute.Options{})
	c := f.edits(t, "main.go", "ready = true", "ready = false", "main.go", "os.Exit(1)", "os.Exit(0)")
	if got := check(t, v, c); got.Verified || got.Effect != verdict.Hides {
		t.Errorf("the exit is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}

// TestTestsHaveToRun: who ends the test binary can print that they pass.
func TestTestsHaveToRun(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	const passes = `\x16=== RUN   TestAdd\n\x16--- PASS: TestAdd (0.00s)\n\x16=== NAME  \n\x16PASS\n`
	for name, main := range map[string]string{
		"by themselves": "",
		"by TestMain":   "\nfunc TestMain(m *testing.M) {\n\tcode := m.Run()\n\tos.Exit(code)\n}\n",
		"by others":     "\nfunc TestMain(m *testing.M) {\n\thand(m)\n}\n\nfunc hand(m interface{ Run() int }) { os.Exit(m.Run()) }\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := lay(t, "failing", t.TempDir())
			write(t, filepath.Join(f.dir, "bag_test.go"), "package bag\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestAdd(t *testing.T) {\n\tb := New()\n\tb.Add(os.DevNull)\n}\n"+main)
			f.withFinishing(t, "bag")
			f.build(t, ".", true)
			v := f.verifier(t, execute.Options{})
			if got := check(t, v, finishes("bag", passes)); got.Verified || got.Effect != verdict.Hides {
				t.Errorf("the forger is %q, %s: %+v", got.Label(), got.How, got.Checks)
			}
			if got := check(t, v, f.edits(t, "bag.go", "&Bag{}", "&Bag{counts: map[string]int{}}")); !got.Verified || got.Effect != verdict.Repairs {
				t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
			}
		})
	}
}

// TestTheStoppedTestHasToRun: who chooses other tests, or hides what they say, can
// print that the one that failed passes.
func TestTheStoppedTestHasToRun(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	frames := ""
	for _, line := range []string{"=== RUN   TestSum", "=== RUN   TestSum/2_7", "--- PASS: TestSum (0.00s)", "    --- PASS: TestSum/2_7 (0.00s)", "=== NAME  ", "PASS"} {
		frames += `\x16` + line + `\n`
	}
	begins := func(pkg, imports, does string) patch.Candidate {
		return hostile("init.go", "package "+pkg+"\n\nimport (\n"+imports+"\t\"os\"\n)\n\nfunc init() {\n\t_, _ = os.Stdout.WriteString(\""+frames+"\")\n"+does+"}\n")
	}
	const flags, parse = "\t\"flag\"\n\t\"testing\"\n", "\ttesting.Init()\n\tflag.Parse()\n"
	f := lay(t, "ledger", t.TempDir())
	f.compile(t, ".", true)
	f = f.failingAt("TestSum/2_7", "Errorf", sumLine)
	v := f.verifier(t, execute.Options{})
	for name, c := range map[string]patch.Candidate{
		"no tests":      begins("ledger", flags, parse+"\t_ = flag.Set(\"test.run\", \"^$\")\n"),
		"another test":  begins("ledger", flags, parse+"\t_ = flag.Lookup(\"test.run\").Value.Set(\"TestOnce\")\n"),
		"closed output": begins("ledger", "", "\t_ = os.Stdout.Close()\n"),
	} {
		if got := check(t, v, c); got.Verified || got.Effect != verdict.Hides {
			t.Errorf("%s: %q, %s: %+v", name, got.Label(), got.How, got.Checks)
		}
	}
	f = lay(t, "failing", t.TempDir())
	write(t, filepath.Join(f.dir, "bag_test.go"), "package bag_test\n\nimport (\n\t\"testing\"\n\n\tbag \"example.com/failing\"\n)\n\nfunc TestAdd(t *testing.T) { bag.New().Add(t.Name()) }\n")
	const ignored = "//go:build ignore\n\npackage main\n\nimport \"testing\"\n\n"
	write(t, filepath.Join(f.dir, "zz_gen.go"), ignored+"func main() { testing.Init() }\n")
	write(t, filepath.Join(f.dir, "zz_gen_test.go"), ignored+"func TestAdd(t *testing.T) {}\n\nfunc TestMain(*testing.M) {}\n")
	f.build(t, ".", true, "-test.run=TestAdd")
	v = f.verifier(t, execute.Options{})
	if got := check(t, v, begins("bag", flags, parse+"\t_ = flag.Set(\"test.run\", \"^$\")\n")); got.Verified || got.Effect != verdict.Hides {
		t.Errorf("after a panic: %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
	if got := check(t, v, f.edits(t, "bag.go", "&Bag{}", "&Bag{counts: map[string]int{}}")); !got.Verified || got.Effect != verdict.Repairs {
		t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}

// TestTheRegressionTestHasToRun: it may stand in for the rerun, and its name can
// be guessed.
func TestTheRegressionTestHasToRun(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	values := filepath.Join(t.TempDir(), "values") // hidden, as a home directory is
	write(t, values, "a=1\n")
	f := crashing(t, "config", filepath.Dir(values)).with(testOf("main_test.go", "TestSet", "\t(&settings{}).set(\"a=1\")\n"))
	v := f.verifier(t, execute.Options{})
	const frames = `\x16=== RUN   TestSet\n\x16--- PASS: TestSet (0.00s)\n\x16=== NAME  \n\x16PASS\n`
	forger := hostile("init.go", "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc init() {\n\ttesting.Init()\n\tflag.Parse()\n"+
		"\tif flag.Set(\"test.run\", \"^$\") == nil {\n\t\t_, _ = os.Stdout.WriteString(\""+frames+"\")\n\t}\n}\n")
	if got := check(t, v, forger); got.Verified || got.Test != nil {
		t.Errorf("the forger is %q: %+v", got.Label(), got.Checks)
	}
	fixed := f.edits(t, "main.go", "\ts.values[", "\tif s.values == nil {\n\t\ts.values = map[string]string{}\n\t}\n\ts.values[")
	if got := check(t, v, fixed); !got.Verified || got.Test == nil {
		t.Errorf("the fix is %q: %+v", got.Label(), got.Checks)
	}
}

// TestWhatTestsExpectIsNotChanged: a test passes as well where its result is
// written into the file that it compares with.
func TestWhatTestsExpectIsNotChanged(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := lay(t, "ledger", t.TempDir())
	wants := []string{"testdata/want.txt", "golden/want.txt", "results/of a sum.txt", "other/want.txt", "all/want.txt"}
	for _, name := range append(wants, "notes.txt") {
		write(t, filepath.Join(f.dir, name), "7")
	}
	write(t, filepath.Join(f.dir, "testdata/want.go"), "package want7\n")
	write(t, filepath.Join(f.dir, "ledger_test.go"), "package ledger\n\nimport (\n\t\"embed\"\n\t\"fmt\"\n\t\"strings\"\n\t\"testing\"\n)\n\n"+
		"//go:embed testdata\n//go:embed \"golden/*.txt\" \"results/of a sum.txt\"\n//go:embed `other/want.txt` \"\\x61ll:all\"\nvar files embed.FS\n\n"+
		"func TestSum(t *testing.T) {\n\tgot := fmt.Sprint(Sum([]int{3, 4}))\n\tcode, _ := files.ReadFile(\"testdata/want.go\")\n\tfailed := string(code) != \"package want\"+got+\"\\n\"\n"+
		"\tfor _, name := range strings.Split(\""+strings.Join(wants, "|")+"\", \"|\") {\n\t\twant, _ := files.ReadFile(name)\n\t\tfailed = failed || got != string(want)\n\t}\n"+
		"\tif failed {\n\t\tt.Errorf(\"%s\", got)\n\t}\n}\n")
	f.compile(t, ".", true)
	f = f.failingAt("TestSum", "Errorf", 24)
	v := f.verifier(t, execute.Options{})
	all := f.edits(t, "testdata/want.go", "7", "4")
	for _, name := range wants {
		all.Edits = append(all.Edits, f.edits(t, name, "7", "4").Edits...)
	}
	if got := check(t, v, all); got.Verified || got.Effect != verdict.Hides {
		t.Errorf("other results are %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
	for _, e := range all.Edits {
		p := &patched{v: v}
		if !p.expected(e.File) {
			t.Errorf("%s is not what tests expect", e.File)
		}
	}
	if got := check(t, v, f.edits(t, ledgerGo, fromOne, "i := 0;", "notes.txt", "7", "4")); !got.Verified || got.Effect != verdict.Repairs {
		t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}

// TestOtherMeaningsAreNotVerified: the statement that failed, and the test that does, stand
// as they were, and mean something else.
func TestOtherMeaningsAreNotVerified(t *testing.T) {
	needSandbox(t)
	f := lay(t, "ledger", t.TempDir())
	write(t, filepath.Join(f.dir, "ledger_test.go"), "package ledger\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif got, want := Sum([]int{3, 4}), len(\"seven..\"); got != want {\n\t\tt.Errorf(\"%d\", got)\n\t}\n}\n")
	f.compile(t, ".", true)
	f = f.failingAt("TestSum", "Errorf", 7)
	v := f.verifier(t, execute.Options{})
	for name, text := range map[string]string{
		"len":     "package ledger\n\nfunc len[T any](of T) int {\n\tn := 0\n\tif list, ok := any(of).([]int); ok {\n\t\tfor range list {\n\t\t\tn++\n\t\t}\n\t\treturn n\n\t}\n\treturn 4\n}\n",
		"testing": "package ledger\n\nimport \"testing\"\n\nvar _ = testing.Testing()\n",
		"caller":  "package ledger\n\nimport \"runtime\"\n\nvar _, _, _, _ = runtime.Caller(1)\n",
		"program": "package ledger\n\nimport \"os/exec\"\n\nvar _ = (&exec.Cmd{Path: \"/bin/true\"}).Run()\n",
		"build":   "package ledger\n\nimport \"runtime/debug\"\n\nvar _, _ = debug.ReadBuildInfo()\n",
	} {
		if got := check(t, v, hostile("more.go", text)); got.Verified || got.Effect != verdict.Hides {
			t.Errorf("another %s is %q, %s: %+v", name, got.Label(), got.How, got.Checks)
		}
	}
}

// TestOneAnswerIsNotVerified: the failing test asks for one value, and that is all that the
// candidate knows.
func TestOneAnswerIsNotVerified(t *testing.T) {
	needSandbox(t)
	f := lay(t, "ledger", t.TempDir())
	write(t, filepath.Join(f.dir, ledgerGo), "package ledger\n\nfunc Sum(list []int) int {\n\treturn list[0]\n}\n\nfunc Mean([]int) int { return 0 }\n")
	write(t, filepath.Join(f.dir, "ledger_test.go"), "package ledger\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif got := Sum([]int{3, 4}); got != 7 {\n\t\tt.Errorf(\"%d\", got)\n\t}\n}\n")
	f.compile(t, ".", true)
	f = f.failingAt("TestSum", "Errorf", 7)
	v := f.verifier(t, execute.Options{})
	for answer, verified := range map[string]bool{"7": false, "list[0] + list[1]": true} {
		if got := check(t, v, f.edits(t, ledgerGo, "list[0]", answer)); got.Verified != verified {
			t.Errorf("%s is %q, %s: %+v", answer, got.Label(), got.How, got.Checks)
		}
	}
}

// TestWhatTestsExpectIsNotRewritten: the files in testdata are as the person has them until
// the tests have run. Those that the tests write themselves are not meant.
func TestWhatTestsExpectIsNotRewritten(t *testing.T) {
	needSandbox(t)
	f := lay(t, "ledger", t.TempDir())
	for _, name := range []string{"want", "out"} {
		write(t, filepath.Join(f.dir, "testdata", name), "7")
	}
	write(t, filepath.Join(f.dir, "ledger_test.go"), "package ledger\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestSum(t *testing.T) {\n"+
		"\tgot := fmt.Sprint(Sum([]int{3, 4}))\n\t_ = os.WriteFile(\"testdata/out\", []byte(got), 0o600)\n\tif want, _ := os.ReadFile(\"testdata/want\"); got != string(want) {\n\t\tt.Errorf(\"%s\", got)\n\t}\n}\n")
	f.compile(t, ".", true)
	f = f.failingAt("TestSum", "Errorf", 13)
	for _, tier := range []sandbox.Tier{sandbox.Full, sandbox.Landlock} {
		v := f.verifier(t, execute.Options{MaxTier: tier})
		for name, does := range map[string]string{
			"written":  `os.WriteFile("test"+"data/want", []byte("4"), 0o600)`,
			"replaced": `os.WriteFile("w", []byte("4"), 0o600); _ = os.Rename("w", "test"+"data/want")`,
		} {
			got := check(t, v, hostile("more.go", "package ledger\n\nimport \"os\"\n\nfunc init() { _ = "+does+" }\n"))
			if c, _ := verdict.Find(got.Checks, verdict.Rerun); got.Verified || c.Status != verdict.Inconclusive || !strings.Contains(c.Detail, "testdata/want") {
				t.Errorf("%s in %v is %q: %+v", name, tier, got.Label(), got.Checks)
			}
		}
		if got := check(t, v, f.edits(t, ledgerGo, fromOne, "i := 0;")); !got.Verified || got.Effect != verdict.Repairs {
			t.Errorf("the fix in %v is %q, %s: %+v", tier, got.Label(), got.How, got.Checks)
		}
	}
}

// TestWhatTestsReadIsNotRewritten: the same elsewhere than in testdata, where the candidate adds
// the call.
func TestWhatTestsReadIsNotRewritten(t *testing.T) {
	needSandbox(t)
	f := lay(t, "ledger", t.TempDir())
	write(t, filepath.Join(f.dir, "want"), "7")
	write(t, filepath.Join(f.dir, "ledger_test.go"), "package ledger\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestSum(t *testing.T) {\n"+
		"\tgot := fmt.Sprint(Sum([]int{3, 4}))\n\tif want, _ := os.ReadFile(\"want\"); got != string(want) {\n\t\tt.Errorf(\"%s\", got)\n\t}\n}\n")
	f.compile(t, ".", true)
	f = f.failingAt("TestSum", "Errorf", 12)
	for tier, options := range bothTiers() {
		v := f.verifier(t, options)
		got := check(t, v, hostile("more.go", "package ledger\n\nimport \"os\"\n\nfunc init() { _ = os.WriteFile(\"want\", []byte(\"4\"), 0o600) }\n"))
		if c, _ := verdict.Find(got.Checks, verdict.Rerun); got.Verified || c.Status != verdict.Inconclusive || !strings.Contains(c.Detail, "want") {
			t.Errorf("%s: it is %q: %+v", tier, got.Label(), got.Checks)
		}
		if got := check(t, v, f.edits(t, ledgerGo, fromOne, "i := 0;")); !got.Verified || got.Effect != verdict.Repairs {
			t.Errorf("%s: the fix is %q, %s: %+v", tier, got.Label(), got.How, got.Checks)
		}
	}
}

// TestMarksCannotBeTaken: a name of the candidate's own that is before the
// function that counts.
func TestMarksCannotBeTaken(t *testing.T) {
	needSandbox(t)
	f := crashing(t, "index")
	c := f.edits(t, "index.go", "\treturn &Index{}", "\tpausetuiMark := func(int, bool) {}\n\tpausetuiMark(0, false)\n"+makeMap)
	if got := check(t, f.verifier(t, execute.Options{}), c); got.Verified || got.Effect != verdict.Hides {
		t.Errorf("it is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}

var write = testsupport.Write

// TestOwnTestFilesProveNothing: what a test file of the candidate's sets, the
// program does not have.
func TestOwnTestFilesProveNothing(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := lay(t, "ledger", t.TempDir())
	text, err := os.ReadFile(filepath.Join(f.dir, ledgerGo))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(f.dir, ledgerGo), strings.Replace(string(text), fromOne, "i := first;", 1)+"\nvar first = 1\n")
	f.compile(t, ".", true)
	f = f.failingAt("TestSum/2_7", "Errorf", sumLine)
	v := f.verifier(t, execute.Options{})
	forger := f.edits(t, ledgerGo, "// Sum adds", "// Sum now adds")
	forger.Edits = append(forger.Edits, hostile("more_test.go", "package ledger\n\nfunc init() { first = 0 }\n").Edits...)
	if got := check(t, v, forger); got.Verified || got.Effect != verdict.Hides {
		t.Errorf("the forger is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
	fixed := f.edits(t, ledgerGo, "var first = 1", "var first = 0")
	fixed.Edits = append(fixed.Edits, hostile("more_test.go", "package ledger\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) {\n\tif Sum([]int{1}) != 1 {\n\t\tt.Error(\"wrong\")\n\t}\n}\n").Edits...)
	if got := check(t, v, fixed); !got.Verified || got.Effect != verdict.Repairs {
		t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}
