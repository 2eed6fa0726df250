package apply

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/session"
)

// The disk fills up after the intent was recorded: the change is in the source,
// and the person hears so.
func TestAnApplyThatCannotBeRecordedSaysSo(t *testing.T) {
	w := newWork(t)
	full := func(who string, body session.Body) error {
		err := w.record(who, body)
		switch body.(type) {
		case *session.Applied, *session.Notice:
			return syscall.ENOSPC
		}
		return err
	}
	c := w.propose("c1", "one")
	w.site.Record = full
	w.must(w.site.Apply(context.Background(), c))
	w.is("one")
	if n := w.state.Notices; len(n) != 1 || !strings.Contains(n[0].Text, "fix 1 is in the source") || !strings.Contains(n[0].Text, "no space left") || n[0].Hint == "" {
		t.Errorf("notices: %+v", n)
	}
}

// The intent cannot be recorded, nor the failure: nothing is written, and no mark
// is left of it.
func TestAFullDiskLeavesNoMark(t *testing.T) {
	w := newWork(t)
	c := w.propose("c1", "one")
	w.site.Record = func(string, session.Body) error { return syscall.ENOSPC }
	if err := w.site.Apply(context.Background(), c); !errors.Is(err, errNoRecord) {
		t.Errorf("err = %v", err)
	}
	w.is("old")
	noMarks(t, w.site.Log.Dir(), w.site.Workspace.Root)
}

// An empty mark of a run that was killed is swept, one that is being made is not.
func TestEmptyPointersAreSwept(t *testing.T) {
	w := newWork(t)
	root := w.site.Workspace.Root
	for id, age := range map[string]time.Duration{"20200101-000000": time.Hour, "20200101-000001": 0} {
		path := filepath.Join(root, ".pausetui-"+id+".applying")
		w.must(os.WriteFile(path, nil, 0o600))
		at := time.Now().Add(-age)
		w.must(os.Chtimes(path, at, at))
	}
	_ = Recover(context.Background(), w.site.Log.Dir(), w.site.Workspace)
	left, _ := filepath.Glob(filepath.Join(root, ".pausetui-*"))
	if len(left) != 1 || !strings.Contains(left[0], "000001") {
		t.Errorf("left: %q", left)
	}
}

func noMarks(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		if left, _ := filepath.Glob(filepath.Join(dir, ".*applying*")); len(left) > 0 {
			t.Errorf("left over: %q", left)
		}
	}
}
