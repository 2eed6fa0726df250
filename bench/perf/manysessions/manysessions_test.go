package manysessions

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/session"
)

func TestTheSessionsCanBeReadAndDiffer(t *testing.T) {
	dir := t.TempDir()
	const n, size = 30, 100 << 10
	bytes, err := Make(dir, "../../../debug", 0, n, size)
	if err != nil {
		t.Fatal(err)
	}
	if bytes < n*size*8/10 || bytes > n*size*13/10 {
		t.Errorf("%d sessions have %d bytes, want about %d", n, bytes, n*size)
	}
	list, err := session.List(dir)
	if err != nil || len(list) != n {
		t.Fatalf("%d sessions are listed, error %v", len(list), err)
	}
	prints, models, verified := map[string]bool{}, map[string]bool{}, 0
	for _, e := range list {
		events, err := session.ReadFile(e.Journal)
		if err != nil {
			t.Fatal(err)
		}
		s := session.Fold(session.NewState(), events)
		f := session.Summarize(s)
		if s.Ended == nil || f.Class == "" || f.Candidates < 3 || f.Session != e.ID() {
			t.Errorf("%s: %+v", e.Name, f)
		}
		prints[f.Fingerprint] = true
		verified += f.Verified
		for _, m := range f.Models {
			models[m] = true
		}
	}
	if len(prints) < n*2/3 || len(models) < 4 || verified < n {
		t.Errorf("%d fingerprints, models %v, %d verified", len(prints), models, verified)
	}
}

func TestTheSameArgumentsMakeTheSameFiles(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if _, err := Make(dir, "../../../debug", 0, 6, 0); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(a, "*"))
	if err != nil || len(files) != 6 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		one, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(filepath.Join(b, filepath.Base(f)))
		if err != nil || string(one) != string(other) {
			t.Errorf("%s differs, error %v", filepath.Base(f), err)
		}
	}
}
