package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
)

// seenBodies are a stop and what was looked at of it.
func seenBodies() []Body {
	worker := debugger.Frame{Function: "main.worker", File: "/m/w.go", Line: 3, User: true}
	return []Body{
		&Stopped{Stop: debugger.Stop{Reason: debugger.ReasonBreakpoint, Goroutine: 1, MoreFrames: true, Frames: []debugger.Frame{
			{Function: "main.f", File: "/m/f.go", Line: 7, User: true, Loaded: true, Locals: []debugger.Variable{{Name: "x", Expr: "x", Type: "int", Value: "4"}}},
			{Index: 1, Function: "main.main", File: "/m/f.go", Line: 12, User: true}}}},
		&SourcesKept{Stop: 1, Files: []SourceKept{{File: "/m/f.go", Name: strings.Repeat("0a", 16)}, {File: "/m/gone.go", Err: "no such file"}}},
		&Seen{Stop: 1, Known: 8, Partial: true,
			Frames:   []SeenFrame{{Goroutine: 1, Frame: debugger.Frame{Index: 1, Function: "main.main", Loaded: true, Args: []debugger.Variable{{Name: "args", Expr: "args", Len: 3, Unloaded: 3}}}}},
			Children: []SeenChildren{{At: debugger.FrameRef{Goroutine: 1, Frame: 1}, Expr: "args", List: []debugger.Variable{{Name: "[0]"}, {Name: "[1]"}, {Name: "[2]"}}}},
			Groups:   []GoroutineGroup{{First: debugger.Goroutine{ID: 5, State: "waiting", WaitReason: "sleep", User: worker}, Others: []debugger.GoroutineID{6}, Count: 8, Waited: time.Second}},
			Stacks:   []SeenStack{{Goroutine: 5, Frames: []debugger.Frame{worker}, More: true}}},
	}
}

// replayed is the state that a journal of the bodies gives when it is read.
func replayed(t *testing.T, bodies []Body) (State, []byte) {
	t.Helper()
	_, data := recorded(t, bodies)
	events, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return Fold(NewState(), events), data
}

// The record of a stop answers as the target did, and says what it does not
// hold.
func TestPastAnswersFromTheRecord(t *testing.T) {
	state, _ := replayed(t, seenBodies())
	record := state.Stops[0]
	if record.Sources["/m/f.go"] == "" || len(record.Sources) != 1 {
		t.Errorf("sources: %v", record.Sources)
	}
	past, ctx := record.Past(), context.Background()
	if f, err := past.Load(ctx, debugger.FrameRef{Goroutine: 1}); err != nil || f.Locals[0].Value != "4" {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := past.Load(ctx, debugger.FrameRef{Goroutine: 1, Frame: 1}); err != nil || len(f.Args) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	if v, err := past.Evaluate(ctx, debugger.FrameRef{Goroutine: 1}, "x"); err != nil || v.Value != "4" {
		t.Errorf("%+v, %v", v, err)
	}
	list, err := past.Children(ctx, debugger.FrameRef{Goroutine: 1, Frame: 1}, debugger.Variable{Expr: "args"}, debugger.Page{Start: 1, Count: 1})
	if err != nil || len(list) != 1 || list[0].Name != "[1]" {
		t.Errorf("%+v, %v", list, err)
	}
	if frames, more, err := past.Frames(ctx, 5, debugger.Page{}); err != nil || len(frames) != 1 || !more {
		t.Errorf("%+v, %v, %v", frames, more, err)
	}
	all, _, err := past.Goroutines(ctx, debugger.Page{})
	if err != nil || len(all) != 2 || all[1].ID != 6 || all[1].Signature != all[0].Signature || all[0].Signature == 0 {
		t.Errorf("%+v, %v", all, err)
	}
	for name, read := range map[string]func() error{
		"stack": func() error { _, _, err := past.Frames(ctx, 7, debugger.Page{}); return err },
		"more":  func() error { _, _, err := past.Frames(ctx, 1, debugger.Page{Start: 2}); return err },
		"frame": func() error { _, err := past.Load(ctx, debugger.FrameRef{Goroutine: 5}); return err },
		"children": func() error {
			_, err := past.Children(ctx, debugger.FrameRef{Goroutine: 1}, debugger.Variable{Expr: "y"}, debugger.Page{})
			return err
		},
		"expression": func() error { _, err := past.Evaluate(ctx, debugger.FrameRef{Goroutine: 1}, "x+1"); return err },
		"goroutines": func() error { _, _, err := (StopRecord{}).Past().Goroutines(ctx, debugger.Page{}); return err },
	} {
		if err := read(); !errors.Is(err, ErrNotRecorded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is kept of a stop is bounded, and the rest is named as left out.
func TestSeenIsBounded(t *testing.T) {
	s := &Seen{Stop: 1}
	big := debugger.Variable{Name: "v", Value: strings.Repeat("x", 40<<10)}
	for i := range 40 {
		s.Frames = append(s.Frames, SeenFrame{Frame: debugger.Frame{Index: i, Locals: []debugger.Variable{big}}})
	}
	for i := range 1000 {
		s.Groups = append(s.Groups, GoroutineGroup{First: debugger.Goroutine{ID: debugger.GoroutineID(i)}, Count: i})
		s.Stacks = append(s.Stacks, SeenStack{Goroutine: debugger.GoroutineID(i), Frames: make([]debugger.Frame, 50)})
	}
	s.Bound()
	data, err := json.Marshal(s)
	if err != nil || len(data) > maxSeen+4<<10 || !s.Left || len(s.Frames) == 0 || len(s.Frames) == 40 {
		t.Errorf("%d bytes with %d frames, left %v, %v", len(data), len(s.Frames), s.Left, err)
	}
	if len(s.Groups) > 0 && s.Groups[0].Count != 999 {
		t.Errorf("the largest group is not kept first: %d", s.Groups[0].Count)
	}
}

func TestTexts(t *testing.T) {
	dir := t.TempDir()
	texts := OpenTexts(dir, "20261120-170203")
	one, err := texts.Keep([]byte("package a\n"))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := texts.Keep([]byte("package a\n")); err != nil || again != one {
		t.Errorf("%q, %v", again, err)
	}
	two, err := texts.Keep([]byte("package b\n"))
	if err != nil || two == one {
		t.Errorf("%q, %v", two, err)
	}
	opened := OpenTexts(dir, "20261120-170203") // as a session that is resumed does
	if text, err := opened.Text(one); err != nil || string(text) != "package a\n" {
		t.Errorf("%q, %v", text, err)
	}
	if foreign(dir) != "" {
		t.Errorf("%q does not count as ours", foreign(dir))
	}
	if _, err := texts.Keep(make([]byte, maxKeptFile+1)); err == nil {
		t.Error("a huge file is kept")
	}
	path := filepath.Join(dir, "20261120-170203-sources", two)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.WriteFile(path, []byte("package c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{two, "", "../" + one, strings.Repeat("f", 32), strings.ToUpper(one)} {
		if text, err := opened.Text(name); !errors.Is(err, ErrNotKept) {
			t.Errorf("%q: %q, %v", name, text, err)
		}
	}
}

// A stop's record comes back as it was written, and a journal of before has
// none.
func TestSeenComesBack(t *testing.T) {
	state, data := replayed(t, seenBodies())
	if !strings.Contains(string(data), `"kind":"seen"`) || !strings.Contains(string(data), `"kind":"sources-kept"`) {
		t.Error("not in the journal")
	}
	want := seenBodies()[2].(*Seen)
	if got := state.Stops[0].Seen; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	old, _ := replayed(t, seenBodies()[:1])
	if old.Stops[0].Seen != nil || old.Stops[0].Sources != nil {
		t.Error("an old journal has what was not recorded")
	}
	for _, number := range []int{-1, 0, 2} { // of a journal from elsewhere
		lost := &Seen{Stop: number}
		if s := Fold(NewState(), []Event{{Seq: 1, Body: seenBodies()[0]}, {Seq: 2, Body: lost}}); s.Stops[0].Seen != nil {
			t.Errorf("stop %d", number)
		}
	}
}
