package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// TestWhatBlocksDoIsReported: each reason once, and how many did not run again.
func TestWhatBlocksDoIsReported(t *testing.T) {
	var many, each strings.Builder
	for i := range 20 {
		fmt.Fprintf(&many, `{"block":"row%d","what":"runs","why":"a channel","more":%v}`+"\n", i, i == 19)
	}
	for i := range 3 {
		fmt.Fprintf(&each, `{"block":"old%d","what":"returned"}`+"\n", i)
	}
	for name, row := range map[string]struct {
		notes string
		want  []string
	}{
		"one reason":   {`{"block":"a","what":"runs","why":"w"}` + "\n" + `{"block":"b","what":"runs","why":"w"}` + "\n", []string{"blocks a, b run again after a restart: w"}},
		"one block":    {`{"block":"a","what":"runs","why":"w"}` + "\n" + `{"block":"a","what":"runs","why":"w"}` + "\n", []string{"block a runs again after a restart: w"}},
		"two reasons":  {`{"block":"a","what":"runs","why":"v"}` + "\n" + `{"block":"a","what":"runs","why":"w"}` + "\n", []string{"block a runs again after a restart: v", "block a runs again after a restart: w"}},
		"more":         {many.String(), []string{"blocks row0, row1, row2, row3, row4, row5, row6, row7, … run again after a restart: a channel"}},
		"all blocks":   {`{"block":"","what":"runs","why":"damaged"}` + "\n", []string{"blocks run again after a restart: damaged"}},
		"returned":     {`{"block":"a","what":"returned","count":1}` + "\n" + `{"block":"b","what":"returned","count":2}` + "\n", []string{"2 finished blocks did not run again: a, b"}},
		"thousands":    {`{"block":"a","what":"returned","count":1}` + "\n" + `{"block":"b","what":"returned","count":9000}` + "\n", []string{"at least 9000 finished blocks did not run again: a, b"}},
		"old notes":    {each.String(), []string{"3 finished blocks did not run again: old0, old1, old2"}},
		"half a line":  {`{"block":"a","what":"returned","count":1}` + "\n" + `{"block":"b","wh`, []string{"1 finished block did not run again: a"}},
		"no notes yet": {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			bl := &blocks{Loop: looptest.New(t, options.Session{}), dir: t.TempDir(), said: map[string]bool{}}
			testsupport.Write(t, filepath.Join(bl.dir, blocksNotes), row.notes)
			bl.stopped(debugger.Stop{})
			bl.stopped(debugger.Stop{}) // nothing is new
			var got []string
			for _, n := range bl.State().Notices {
				got = append(got, n.Text)
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("got %q\nwant %q", got, row.want)
			}
		})
	}
}

func TestResultsAreDroppedWhenARunEndsWell(t *testing.T) {
	for _, row := range []struct {
		stop    debugger.Stop
		dropped bool
	}{
		{debugger.Stop{}, false},
		{debugger.Stop{Exit: &debugger.Exit{Code: 2}}, false},
		{debugger.Stop{Exit: &debugger.Exit{Code: 0}}, true},
	} {
		bl := &blocks{Loop: looptest.New(t, options.Session{}), dir: filepath.Join(t.TempDir(), "blocks"), said: map[string]bool{}}
		bl.begin()
		testsupport.Write(t, filepath.Join(bl.dir, "results"), "…")
		bl.stopped(row.stop)
		if _, err := os.Stat(filepath.Join(bl.dir, "results")); errors.Is(err, fs.ErrNotExist) != row.dropped {
			t.Errorf("exit %+v: dropped is %v", row.stop.Exit, !row.dropped)
		}
		bl.begin()
		if info, err := os.Stat(bl.dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the next run has no directory of its own: %v, %v", info, err)
		}
	}
}

// A run may end well before its code is loaded: nobody needs the description then.
func TestARunEndsBeforeItsBlocksAreDescribed(t *testing.T) {
	c := looptest.New(t, options.Session{})
	loading := newCodeFuture()
	loading.err = errors.New("not loaded")
	bl := &blocks{Loop: c, program: &program{Loop: c, code: loading}, dir: filepath.Join(t.TempDir(), "blocks"), said: map[string]bool{}}
	bl.begin()
	bl.describe()
	bl.stopped(debugger.Stop{Exit: &debugger.Exit{}})
	close(loading.done)
	c.Jobs.Wait()
	c.Post(func() {}) // so that there is something to run
	looptest.RunPosted(c)
	if n := c.State().Notices; len(n) > 0 {
		t.Errorf("it reports %+v", n)
	}
}

// TestMemoryKeyNamesTheBlock: a fix of one block is not offered for another.
func TestMemoryKeyNamesTheBlock(t *testing.T) {
	stop := debugger.Stop{Panic: &debugger.Panic{Fingerprint: "f1"}}
	if key := memoryKey(stop); key != "f1" {
		t.Errorf("without a block: %q", key)
	}
	keys := map[string]bool{"f1": true}
	for _, stop := range []debugger.Stop{
		{Panic: &debugger.Panic{Fingerprint: "f1"}, Block: &debugger.Block{ID: "import/parse", Intent: "x"}},
		{Panic: &debugger.Panic{Fingerprint: "f1"}, Block: &debugger.Block{ID: "import/sum", Intent: "x"}},
		{Panic: &debugger.Panic{Fingerprint: "f2"}, Block: &debugger.Block{ID: "import/sum", Intent: "x"}},
	} {
		key := memoryKey(stop)
		if keys[key] {
			t.Errorf("%q is the key of two stops", key)
		}
		keys[key] = true
		stop.Block.Intent = "said in other words"
		if memoryKey(stop) != key {
			t.Errorf("%q depends on the intent", key)
		}
	}
}

// TestWorkContinuesAtTheBlockThatFailed: a program of five blocks dies in its fourth
// and is fixed. The first three, the concurrent blocks inside the second and
// the finished block inside the fourth do not run again. Package fix has the
// same with a proved fix, nightly.
func TestWorkContinuesAtTheBlockThatFailed(t *testing.T) {
	t.Parallel()
	repository, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := module(t, "")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "examples", "blockimport"))); err != nil {
		t.Fatal(err)
	}
	testsupport.Write(t, filepath.Join(dir, "go.sum"), testsupport.Read(t, filepath.Join(repository, "go.sum")))
	testsupport.Write(t, filepath.Join(dir, "go.mod"), "module example.org/blockimport\n\ngo 1.26.0\n\nrequire github.com/pausetui/pausetui v0.0.0\n\nreplace github.com/pausetui/pausetui => "+repository+"\n")
	p := play(t, options.Session{Target: options.Target{Dir: dir}})
	s := p.until("it panics", func(s session.State) bool { return len(s.Stops) == 1 })
	if b := s.Stops[0].Stop.Block; b == nil || b.ID != "sum" || b.Intent != "Sum the orders of each customer" {
		t.Errorf("stopped in %+v", b)
	}
	orders := filepath.Join(dir, "orders.go")
	testsupport.Write(t, orders, strings.Replace(testsupport.Read(t, orders), "var totals map[string]int", "totals := map[string]int{}", 1))
	p.engine.Do(intent.Restart{})
	s = p.until("it ends", func(s session.State) bool {
		return len(s.Stops) == 2 && s.Stops[1].Stop.Exit != nil && len(s.Notices) > 0
	})
	if code := s.Stops[1].Stop.Exit.Code; code != 0 {
		t.Errorf("it exits with %d", code)
	}
	if !slices.ContainsFunc(s.Notices, func(n session.NoticeRecord) bool {
		return n.Text == "4 finished blocks did not run again: read, parse, check, sum/customers"
	}) {
		t.Errorf("notices: %+v", s.Notices)
	}
	p.quit()
	for round, want := range map[string][]string{
		"round1": {"check: 5 orders", "customers: count", "parse: east.csv", "parse: north.csv", "parse: west.csv", "read: the exports", "sum: by customer"},
		"round2": {"Ines         21.50", "Jonas        50.75", "Mara          1.50", "sum: by customer"},
	} {
		if got := printed(t, dir, round); !slices.Equal(got, want) {
			t.Errorf("%s printed %q, want %q", round, got, want)
		}
	}
}

// printed is what the program printed in a round before it panicked, sorted.
func printed(t *testing.T, dir, round string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "debug", "*."+round+".out"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: output in %q, %v", round, files, err)
	}
	var lines []string
	for line := range strings.Lines(testsupport.Read(t, files[0])) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "panic:") {
			break
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}
