package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// testOf makes a regression test of a body, in a new file.
func testOf(file, name, body string) patch.RegressionTest {
	pkg := filepath.Dir(file)
	if pkg == "." {
		pkg = "main"
	}
	text := "package " + pkg + "\n\nimport \"testing\"\n\nfunc " + name + "(t *testing.T) {\n" + body + "}\n"
	return patch.RegressionTest{Name: name, Asserts: "does not panic", Edit: patch.Edit{File: file, After: text, Create: true}}
}

// with has the stop's regression tests be these.
func (f fixture) with(tests ...patch.RegressionTest) fixture {
	f.subject.Tests = func(context.Context) ([]patch.RegressionTest, error) { return tests, nil }
	return f
}

var (
	addOfStop  = testOf("store/regress_test.go", "TestAddOfStop", "\ts := &Store{}\n\ts.Add(\"bolt\", 3)\n")
	addOfNew   = testOf("store/regress_test.go", "TestAddOfNew", "\ts := New()\n\ts.Add(\"bolt\", 3)\n")
	totalOfNew = testOf("store/regress_test.go", "TestTotalOfNew", "\tNew().Total()\n")
	otherCrash = testOf("store/regress_test.go", "TestOtherCrash", "\tvar s *Store\n\ts.Add(\"bolt\", 3)\n")
	unbuilt    = testOf("store/regress_test.go", "TestUnbuilt", "\tmissing()\n")
	crooked    = testOf("store/regress_test.go", "TestCrooked", "\tNew()\n  New()\n")
)

func TestTheFirstRegressionTestThatHoldsIsChosen(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "shelf")
	v := f.with(unbuilt, crooked, totalOfNew, otherCrash, addOfStop, addOfNew).verifier(t, execute.Options{})
	before := f.snapshot(t)
	for _, tt := range []struct {
		name    string
		changes []string
		test    string
	}{
		{"at the origin", []string{storeGo, newStore, makeBins}, "TestAddOfNew"},
		{"at the site", []string{storeGo, "\ts.items[name] += n", "\tif s.items == nil {\n\t\ts.items = map[string]int{}\n\t}\n\ts.items[name] += n"}, "TestAddOfStop"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name != "at the site" {
				testsupport.Slow(t)
			}
			got := check(t, v, f.edits(t, tt.changes...))
			expect(t, got, verdict.Regression, verdict.Pass, tt.test+" fails without it and passes with it: does not panic")
			if !got.Verified || got.Test == nil || got.Test.Name != tt.test {
				t.Errorf("verdict %+v", got)
			}
		})
	}
	if f.snapshot(t) != before {
		t.Error("the source was changed")
	}
}

// The candidates that are expected when the regression test is built are all tried in that program.
func TestOneProgramServesAllCandidates(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	f := crashing(t, "shelf").with(addOfStop)
	v := f.verifier(t, execute.Options{})
	makes := f.edits(t, storeGo, "\ts.items[name] += n", "\tif s.items == nil {\n\t\ts.items = map[string]int{}\n\t}\n\ts.items[name] += n")
	leaves := f.edits(t, storeGo, "\ts.items[name] += n", "\tif s.items != nil {\n\t\ts.items[name] += n\n\t}")
	late := f.edits(t, storeGo, "\ts.items[name] += n", "\tif s.items == nil {\n\t\treturn\n\t}\n\ts.items[name] += n")
	for i, c := range []*patch.Candidate{&makes, &leaves, &late} {
		c.ID = "c" + strconv.Itoa(i+1)
	}
	v.Expect(makes, leaves)
	for _, tt := range []struct {
		candidate patch.Candidate
		own       int
	}{{makes, 0}, {leaves, 0}, {late, 1}} {
		got := check(t, v, tt.candidate)
		expect(t, got, verdict.Regression, verdict.Pass, "TestAddOfStop fails without it and passes with it: does not panic")
		if own, err := filepath.Glob(filepath.Join(v.Dir, "*-"+tt.candidate.ID, "regression-*")); err != nil || len(own) != tt.own {
			t.Errorf("programs of its own: %q, %v", own, err)
		}
	}
}

func TestWhyNoRegressionTestHolds(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "shelf")
	lost := addOfNew
	lost.Edit.Create = false
	fixed := f.edits(t, storeGo, newStore, makeBins)
	renamed := f.edits(t, storeGo, newStore, makeBins, storeGo, "func New() *Store {", "func Make() *Store {", "main.go", "store.New()", "store.Make()")
	none := f
	none.subject.Tests = func(context.Context) ([]patch.RegressionTest, error) {
		return nil, errors.New("the values go in a circle")
	}
	for _, tt := range []struct {
		name      string
		f         fixture
		candidate patch.Candidate
		status    verdict.Status
		details   []string
	}{
		{"none was made", none, fixed, verdict.Skip, []string{"no regression test: the values go in a circle"}},
		{"none fails before", f.with(totalOfNew, otherCrash, unbuilt, crooked, lost), fixed, verdict.Skip, []string{
			"no regression test: TestTotalOfNew passes without a fix",
			"TestOtherCrash fails in another way: panic: runtime error: invalid memory address or nil pointer dereference in example.com/shelf/store.(*Store).Add (store/store.go:",
			"TestUnbuilt does not build: store/regress_test.go:6:2: undefined: missing",
			"TestCrooked is not as gofmt would write it",
			"TestAddOfNew cannot be written: store/regress_test.go no longer exists"}},
		{"none passes after", f.with(addOfStop, addOfNew), renamed, verdict.Skip, []string{
			"no regression test: TestAddOfStop still fails with it: panic: assignment to entry in nil map in example.com/shelf/store.(*Store).Add (store/store.go:",
			"TestAddOfNew does not build with it: store/regress_test.go:6:"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name != "none passes after" {
				testsupport.Slow(t)
			}
			t.Parallel()
			got := check(t, tt.f.verifier(t, execute.Options{}), tt.candidate)
			for _, detail := range tt.details {
				expect(t, got, verdict.Regression, tt.status, detail)
			}
			if !got.Verified || got.Test != nil {
				t.Errorf("verdict %+v", got)
			}
		})
	}
}

func TestARegressionTestInAFileThatIsThere(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "inventory")
	existing, err := os.ReadFile(filepath.Join(f.dir, "store", "store_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	added := addOfNew
	added.Edit = patch.Edit{File: "store/store_test.go", Before: string(existing), After: string(existing) + "\nfunc TestAddOfNew(t *testing.T) { New().Add(\"bolt\", 3) }\n"}
	v := f.with(added).verifier(t, execute.Options{})
	got := check(t, v, f.edits(t, storeGo, newStore, makeBins))
	expect(t, got, verdict.Regression, verdict.Pass, "TestAddOfNew fails without it and passes with it")
	expect(t, got, verdict.Tests, verdict.Pass, "5 tests in 2 packages") // the new one is not counted
	got = check(t, v, f.edits(t, storeGo, newStore, makeBins, "store/store_test.go", "\"bolt\", 1", "\"nut\", 1"))
	expect(t, got, verdict.Regression, verdict.Skip, "TestAddOfNew is left out: the fix edits store/store_test.go too")
}

func TestPackageMainHasARegressionTest(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "index").with(testOf("index_regress_test.go", "TestAdd", "\tNewIndex().Add(\"a\", 0)\n"))
	fixed := f.edits(t, "index.go", "\treturn &Index{}", makeMap)
	expect(t, check(t, f.verifier(t, execute.Options{}), fixed), verdict.Regression, verdict.Pass, "TestAdd fails without it and passes with it")
}

func TestTheRegressionTestStandsInForTheRerun(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	values := filepath.Join(t.TempDir(), "values") // hidden, as a home directory is
	if err := os.WriteFile(values, []byte("a=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := crashing(t, "config", filepath.Dir(values)) // a file that an argument names is not hidden
	fixed := plain.edits(t, "main.go", "\ts.values[", "\tif s.values == nil {\n\t\ts.values = map[string]string{}\n\t}\n\ts.values[")
	got := check(t, plain.verifier(t, execute.Options{}), fixed)
	expect(t, got, verdict.Rerun, verdict.Inconclusive, "in the sandbox the unpatched program ended with exit code 1")
	if got.Verified {
		t.Error("verified without a rerun")
	}

	v := plain.with(testOf("main_test.go", "TestSet", "\t(&settings{}).set(\"a=1\")\n")).verifier(t, execute.Options{})
	var reported []verdict.Check
	got, err := v.Check(t.Context(), fixed, func(c verdict.Check) {
		if c.Name == verdict.Rerun {
			reported = append(reported, c)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, got, verdict.Rerun, verdict.Warn, "by the regression test TestSet; the whole program could not be run again: in the sandbox the unpatched program ended")
	if !got.Verified || len(reported) != 2 || reported[1].Status != verdict.Warn {
		t.Errorf("verdict %+v, reported %+v", got, reported)
	}
	started := plain.with(testOf("main_test.go", "TestSet", "\t(&settings{}).set(\"a=1\")\n"))
	started.subject.Unrunnable = "a core dump does not say how its program was started"
	got = check(t, started.verifier(t, execute.Options{}), fixed)
	expect(t, got, verdict.Rerun, verdict.Warn, "could not be run again: a core dump does not say")
	guard := plain.edits(t, "main.go", "\ts.values[", "\tif s.values == nil {\n\t\treturn\n\t}\n\ts.values[")
	if got = check(t, v, guard); got.Effect != verdict.Skips || got.Verified {
		t.Errorf("a run that does not come to the guard says what it does: %+v", got)
	}
	useless := plain.edits(t, "main.go", "s := &settings{}", "s := &settings{nil}")
	got = check(t, v, useless)
	expect(t, got, verdict.Rerun, verdict.Inconclusive, "")
	expect(t, got, verdict.Regression, verdict.Skip, "TestSet still fails with it")
	if got.Verified {
		t.Error("verified though its regression test fails")
	}
}

func TestTheRegressionTestDoesNotOutweighTheRerun(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "index").with(testOf("index_regress_test.go", "TestAdd", "\tNewIndex().Add(\"a\", 0)\n"))
	v := f.verifier(t, execute.Options{Timeout: time.Second})
	lost := f.edits(t, "index.go", "\treturn &Index{}", makeMap, "main.go", "\tx := NewIndex()", "\ttime.Sleep(time.Hour)\n\tx := NewIndex()", "main.go", "\"os\"", "\"os\"\n\t\"time\"")
	got := check(t, v, lost)
	expect(t, got, verdict.Regression, verdict.Pass, "TestAdd")
	if rerun, _ := verdict.Find(got.Checks, verdict.Rerun); rerun.Status != verdict.Inconclusive || strings.Contains(rerun.Detail, "TestAdd") || got.Verified {
		t.Errorf("verdict %+v", got)
	}
}

func TestARegressionTestOfADeadlock(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	needSandbox(t)
	// The test itself would wait for longer than anybody does.
	waits := testOf("main_test.go", "TestGather", "\tdone := make(chan int)\n\tgo func() { done <- gather(3) }()\n\tselect {\n\tcase <-done:\n\tcase <-time.After(time.Hour):\n\t\tt.Fatal(\"it does not return\")\n\t}\n")
	waits.Edit.After = strings.Replace(waits.Edit.After, "import \"testing\"", "import (\n\t\"testing\"\n\t\"time\"\n)", 1)
	elsewhere := waits
	elsewhere.Name = "TestElsewhere"
	elsewhere.Edit.After = strings.Replace(strings.Replace(waits.Edit.After, "TestGather", "TestElsewhere", 1), "done <- gather(3)", "select {}", 1)
	gives := elsewhere
	gives.Name = "TestGivesUp"
	gives.Edit.After = strings.NewReplacer("TestElsewhere", "TestGivesUp", "time.Hour", "time.Millisecond").Replace(elsewhere.Edit.After)

	f := crashing(t, "gather")
	fixed := f.edits(t, "main.go", "make(chan int)", "make(chan int, n)")
	v := f.with(elsewhere, waits).verifier(t, execute.Options{TestSilence: 3 * time.Second})
	got := check(t, v, fixed)
	expect(t, got, verdict.Regression, verdict.Pass, "TestGather fails without it and passes with it")
	r, err := v.reproduce(t.Context(), 0, elsewhere)
	if err != nil || r.why != "hangs without a fix" {
		t.Errorf("a test that waits elsewhere %s: %v", r.why, err)
	}
	if r, err = f.with(gives).verifier(t, execute.Options{}).reproduce(t.Context(), 0, gives); err != nil || r.why != "" {
		t.Errorf("a test that gives up %s: %v", r.why, err)
	}
}
