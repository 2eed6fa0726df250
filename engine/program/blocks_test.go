package program

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
	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
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
			bl := &Blocks{Loop: looptest.New(t, options.Session{}), dir: t.TempDir(), said: map[string]bool{}}
			testsupport.Write(t, filepath.Join(bl.dir, blocksNotes), row.notes)
			bl.Stopped(debugger.Stop{})
			bl.Stopped(debugger.Stop{}) // nothing is new
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
		bl := &Blocks{Loop: looptest.New(t, options.Session{}), dir: filepath.Join(t.TempDir(), "blocks"), said: map[string]bool{}}
		bl.Begin()
		testsupport.Write(t, filepath.Join(bl.dir, "results"), "…")
		bl.Stopped(row.stop)
		if _, err := os.Stat(filepath.Join(bl.dir, "results")); errors.Is(err, fs.ErrNotExist) != row.dropped {
			t.Errorf("exit %+v: dropped is %v", row.stop.Exit, !row.dropped)
		}
		bl.Begin()
		if info, err := os.Stat(bl.dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the next run has no directory of its own: %v, %v", info, err)
		}
	}
}

// A run may end well before its code is loaded: nobody needs the description then.
func TestARunEndsBeforeItsBlocksAreDescribed(t *testing.T) {
	c := looptest.New(t, options.Session{})
	loading := newCodeFuture()
	loading.Err = errors.New("not loaded")
	bl := &Blocks{Loop: c, program: &Program{Loop: c, Code: loading}, dir: filepath.Join(t.TempDir(), "blocks"), said: map[string]bool{}}
	bl.Begin()
	bl.Describe()
	bl.Stopped(debugger.Stop{Exit: &debugger.Exit{}})
	close(loading.Done)
	c.Jobs.Wait()
	c.Post(func() {}) // so that there is something to run
	looptest.RunPosted(c)
	if n := c.State().Notices; len(n) > 0 {
		t.Errorf("it reports %+v", n)
	}
}
