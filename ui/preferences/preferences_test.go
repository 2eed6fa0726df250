package preferences

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/ui/layout"
)

func TestStateIsKept(t *testing.T) {
	f := &File{Path: filepath.Join(t.TempDir(), "deep", "screen.json")}
	if s, err := f.Load(); err != nil || !reflect.DeepEqual(s, Screen{}) {
		t.Fatalf("without a file: %+v, %v", s, err)
	}
	shape := layout.Shape{Left: 300}.With(layout.Log, layout.Left)
	for _, change := range []func(*Screen){
		func(s *Screen) { s.Layout = shape },
		func(s *Screen) { s.Theme = "gruvbox" },
		func(s *Screen) { s.Use("help"); s.Use("zoom"); s.Use("help") },
	} {
		if err := f.Change(change); err != nil {
			t.Fatal(err)
		}
	}
	got, err := (&File{Path: f.Path}).Load()
	want := Screen{Layout: shape, Theme: "gruvbox", Recent: []string{"help", "zoom"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	info, err := os.Stat(f.Path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
}

func TestBadFilesAreStartedAfresh(t *testing.T) {
	for name, content := range map[string]string{"no JSON": "{", "other types": `{"theme": 3}`, "too large": `{"theme":"` + strings.Repeat("x", maxFile) + `"}`} {
		t.Run(name, func(t *testing.T) {
			f := &File{Path: filepath.Join(t.TempDir(), "screen.json")}
			if err := os.WriteFile(f.Path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if s, err := f.Load(); err == nil || !reflect.DeepEqual(s, Screen{}) {
				t.Errorf("got %+v, %v", s, err)
			}
			if err := f.Change(func(s *Screen) { s.Theme = "nord" }); err != nil {
				t.Fatal(err)
			}
			if s, err := f.Load(); err != nil || s.Theme != "nord" {
				t.Errorf("after a change: %+v, %v", s, err)
			}
		})
	}
}

func TestNonsenseInTheLayoutIsIgnored(t *testing.T) {
	f := &File{Path: filepath.Join(t.TempDir(), "screen.json")}
	content := `{"layout":{"left":-5,"right":99999,"shares":[0,1,-7],"places":["left","right","up"]}}`
	if err := os.WriteFile(f.Path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := f.Load()
	if err != nil || s.Layout.Left < 0 || s.Layout.Right > 1000 || s.Layout.Shares[2] != 0 ||
		s.Layout.Places[layout.Source] != layout.Home || s.Layout.Places[layout.Stack] != layout.Home {
		t.Errorf("got %+v, %v", s.Layout, err)
	}
}
