package verify

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

const (
	newStore = "\treturn &Store{}"
	makeBins = "\treturn &Store{items: map[string]int{}}"
	storeGo  = "store/store.go"
)

func TestWhatTestsFind(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	f := crashing(t, "inventory")
	v := f.verifier(t, execute.Options{TestSilence: 2 * time.Second})
	before := f.snapshot(t)
	for _, tt := range []struct {
		name    string
		changes []string
		status  verdict.Status
		detail  string
	}{
		{"a test that failed passes", nil, verdict.Pass, "5 tests in 2 packages; pass now: store.TestAdd; failed before too: store.TestPlural"},
		{"a dependant's test fails", []string{storeGo, `"store"`, `"shop"`}, verdict.Fail,
			`report.TestSummary fails, passed before: report_test.go:12: summary "shop, 0 items"`},
		{"a subtest fails", []string{storeGo, "total += n", "total += n / 2"}, verdict.Fail, "store.TestTotal/one fails, passed before: store_test.go:14: total 1, want 2"},
		{"a test panics", []string{storeGo, "\ttotal := 0", "\ttotal := 0\n\tif s.items == nil {\n\t\tpanic(\"no items\")\n\t}"}, verdict.Fail,
			"store.TestTotal/none fails, passed before: panic: no items in example.com/inventory/store.(*Store).Total (store/store.go:"},
		{"a test hangs", []string{storeGo, "\ttotal := 0", "\ttotal := 0\n\tfor s.items[\"bolt\"] == 2 {\n\t\tprint()\n\t}"}, verdict.Fail,
			"store.TestTotal hangs, passed before: nothing happened for 2s"},
		{"a test fails once", []string{storeGo, "\ttotal := 0", "\ttotal := 0\n\tif f := flag.Lookup(\"test.run\"); f != nil && f.Value.String() == \"\" {\n\t\ttotal = 7\n\t}",
			storeGo, "import \"fmt\"", "import (\n\t\"flag\"\n\t\"fmt\"\n)"}, verdict.Warn, "failed once, and passed when run again: store.TestTotal"},
		{"the tests do not build", []string{storeGo, "Label() string", "Label(int) string"}, verdict.Fail,
			"the tests of report do not build with it: report/report_test.go:17:"},
		{"a test is taken out", []string{"store/store_test.go", "func TestTotal(", "func testTotal("}, verdict.Warn, "gone: store.TestTotal"},
		{"a test is skipped", []string{"store/store_test.go", "\ts := New()", "\tt.Skip(\"later\")\n\ts := New()", "store/store_test.go", "\ttext, err", "\tt.Skip(\"later\")\n\ttext, err"},
			verdict.Warn, "skipped now: store.TestOffice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name != "a dependant's test fails" {
				testsupport.Slow(t)
			}
			c := f.edits(t, append([]string{storeGo, newStore, makeBins}, tt.changes...)...)
			got := check(t, v, c)
			expect(t, got, verdict.Tests, tt.status, tt.detail)
			if weakened := strings.HasPrefix(tt.name, "a test is ") || strings.Contains(strings.Join(tt.changes, ""), "test.run"); weakened != (got.Effect == verdict.Hides) {
				t.Errorf("effect %s", got.Effect)
			}
			if got.Verified != (tt.status != verdict.Fail && got.Effect == verdict.Repairs) {
				t.Errorf("verified %v", got.Verified)
			}
		})
	}
	if f.snapshot(t) != before {
		t.Error("the source was changed")
	}
}

// A test that fails without a candidate in one run and passes in the next speaks for
// no candidate, and an example that does so with it speaks against none.
func TestALuckyTestIsNoEvidence(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashingAlone(t, "inventory")
	testsupport.Write(t, filepath.Join(f.dir, "store", "lucky_test.go"), `package store

import (
	"flag"
	"fmt"
	"testing"
)

func TestLucky(t *testing.T) {
	if all := flag.Lookup("test.run").Value.String() == ""; all && New().items == nil {
		t.Error("bad luck")
	}
}

func ExampleNew() {
	all := flag.Lookup("test.run").Value.String() == ""
	fmt.Println(!all || New().items == nil)
	// Output: true
}
`)
	got := check(t, f.verifier(t, execute.Options{}), f.edits(t, storeGo, newStore, makeBins))
	expect(t, got, verdict.Tests, verdict.Warn, "failed once, and passed when run again: store.TestLucky, store.ExampleNew; pass now: store.TestAdd;")
}

func TestProgressOfTests(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "inventory")
	var mu sync.Mutex
	seen := map[[2]int]bool{}
	v := f.verifier(t, execute.Options{MaxTier: sandbox.Landlock, OnProgress: func(candidate, check string, done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if candidate != "c1" || check != verdict.Tests {
			t.Errorf("progress of %s of %s", check, candidate)
		}
		seen[[2]int{done, total}] = true
	}})
	v.Prepare(t.Context())
	got := check(t, v, f.edits(t, storeGo, newStore, makeBins))
	expect(t, got, verdict.Tests, verdict.Pass, "5 tests in 2 packages")
	if c, _ := verdict.Find(got.Checks, verdict.Tests); c.Count != 5 {
		t.Errorf("count %d", c.Count)
	}
	// First come those of the package that is touched.
	want := map[[2]int]bool{{1, 4}: true, {2, 4}: true, {3, 4}: true, {4, 4}: true, {5, 6}: true, {6, 6}: true}
	mu.Lock()
	defer mu.Unlock()
	if !maps.Equal(seen, want) {
		t.Errorf("progress %v", seen)
	}
}

func TestThePackageThatIsTouchedIsHeardOfFirst(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "inventory")
	v := f.verifier(t, execute.Options{})
	heard := func(changes ...string) (heard []verdict.Check) {
		c := f.edits(t, append([]string{storeGo, newStore, makeBins}, changes...)...)
		if _, err := v.Check(t.Context(), c, func(k verdict.Check) {
			if k.Name == verdict.Tests {
				heard = append(heard, k)
			}
		}); err != nil {
			t.Fatal(err)
		}
		return heard
	}
	all := heard()
	if len(all) != 2 || all[0].Status != verdict.Pass || !strings.HasSuffix(all[0].Detail, "; still running: the tests of report") || !strings.HasPrefix(all[0].Detail, "3 tests in 1 package") {
		t.Errorf("heard %+v", all)
	}
	all = heard(storeGo, "total += n", "total += n / 2")
	if len(all) != 1 || !strings.HasSuffix(all[0].Detail, "\nthe tests of 1 other package were not run") {
		t.Errorf("heard %+v", all)
	}
}

func TestTestsThatAreNotRun(t *testing.T) {
	testsupport.Slow(t)
	f := crashingAlone(t, "inventory")
	fixed := f.edits(t, storeGo, newStore, makeBins)
	t.Run("without a sandbox", func(t *testing.T) {
		expect(t, check(t, f.verifier(t, execute.Options{MaxTier: sandbox.None}), fixed), verdict.Tests, verdict.Skip, "no sandbox")
	})
	needSandbox(t)
	t.Run("for want of time", func(t *testing.T) {
		got := check(t, f.verifier(t, execute.Options{TestTimeout: time.Nanosecond}), fixed)
		expect(t, got, verdict.Tests, verdict.Inconclusive, "no test passes; not run within 0s: the tests of store, the tests of report")
		if !got.Verified {
			t.Error("tests that were not run count against the fix")
		}
	})
	t.Run("for want of tests", func(t *testing.T) {
		c := f.edits(t, "main.go", "\ts.Add(\"bolt\", 3)\n", "")
		expect(t, check(t, f.verifier(t, execute.Options{}), c), verdict.Tests, verdict.Skip, "no tests")
	})
	t.Run("the first of their package", func(t *testing.T) {
		for status, body := range map[verdict.Status]string{verdict.Pass: "_ = t", verdict.Warn: `t.Error("no")`} {
			c := f.edits(t, storeGo, newStore, makeBins)
			c.Edits = append(c.Edits, patch.Edit{File: "main_test.go", Create: true, After: "package main\n\nimport \"testing\"\n\nfunc TestFirst(t *testing.T) { " + body + " }\n"})
			got, _ := verdict.Find(check(t, f.verifier(t, execute.Options{}), c).Checks, verdict.Tests)
			if got.Status != status || status == verdict.Warn && !strings.Contains(got.Detail, "new with the fix, and failing: TestFirst") {
				t.Errorf("%s: %s %s", body, got.Status, got.Detail)
			}
		}
	})
	t.Run("after a failure", func(t *testing.T) {
		c := f.edits(t, storeGo, "total += n", "total -= n")
		expect(t, check(t, f.verifier(t, execute.Options{}), c), verdict.Tests, verdict.Skip, "rerun failed")
	})
	t.Run("because they do not build", func(t *testing.T) {
		for _, file := range []string{"store/x_test.go", "report/x_test.go"} {
			if err := os.WriteFile(filepath.Join(f.dir, file), []byte("package "+filepath.Dir(file)+"\n\nvar x = missing\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		expect(t, check(t, f.verifier(t, execute.Options{}), fixed), verdict.Tests, verdict.Skip, "the tests do not build without it either: ")
	})
}

func TestTheTargetMayBeATest(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := lay(t, "inventory", t.TempDir())
	f.build(t, "./store", true, "-test.run=^TestAdd$")
	got := check(t, f.verifier(t, execute.Options{}), f.edits(t, storeGo, newStore, makeBins))
	expect(t, got, verdict.Rerun, verdict.Pass, "exit 0")
	expect(t, got, verdict.Tests, verdict.Pass, "pass now: store.TestAdd")
}

func TestClosingEndsWhatWasBegun(t *testing.T) {
	f := crashing(t, "inventory")
	f.subject.Tests = func(ctx context.Context) ([]patch.RegressionTest, error) {
		<-ctx.Done() // until it is closed
		return nil, ctx.Err()
	}
	v := f.verifier(t, execute.Options{})
	v.Prepare(t.Context()) // the cleanup of the test waits for Close
}

func TestOtherModulesOfTheRepositoryAreTheUsersToo(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "replaced")
	const file = "counter/count/count.go"
	create := []string{file, "\tc.words[word]++", "\tif c.words == nil {\n\t\tc.words = map[string]int{}\n\t}\n\tc.words[word]++"}
	add := testOf("counter/count/count_test.go", "TestAdd", "\t(&Counter{}).Add(\"x\")\n")
	add.Edit.After = strings.Replace(add.Edit.After, "package counter/count", "package count", 1)
	v := f.with(add).verifier(t, execute.Options{})
	got := check(t, v, f.edits(t, append([]string{file, "return len(c.words)", "return len(c.words) + 1"}, create...)...))
	expect(t, got, verdict.Vet, verdict.Pass, "")
	expect(t, got, verdict.Regression, verdict.Pass, "TestAdd fails without it and passes with it")
	expect(t, got, verdict.Tests, verdict.Fail, "TestEmpty fails, passed before: main_test.go:11: length 1")
	got = check(t, v, f.edits(t, append([]string{file, "package count\n", "package count\n\nfunc (c *Counter) copied() Counter { return *c; c.Add(\"\"); return *c }\n"}, create...)...))
	expect(t, got, verdict.Vet, verdict.Fail, "counter/count/count.go:3:")
	expect(t, got, verdict.Tests, verdict.Skip, "vet failed")
}
