package ui

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/pausetui/pausetui/ui/options"
)

// TestDemo shows a scene in the terminal, for looking at it:
//
//	go test -c -o /tmp/ui.test ./ui && PAUSETUI_SCENE=fixes /tmp/ui.test -test.run TestDemo
func TestDemo(t *testing.T) {
	name := os.Getenv("PAUSETUI_SCENE")
	scene := scenes()[name]
	if scene == nil {
		t.Skip("PAUSETUI_SCENE names no scene")
	}
	f := scene()
	began := time.Now()
	opts := options.Screen{Editor: os.Getenv("EDITOR"), Profiles: []string{"built-in", "qwen"}, NoColor: os.Getenv("NO_COLOR") != "",
		Clock: func() time.Time { return f.now().Add(time.Since(began)) }}
	if os.Getenv("PAUSETUI_LIGHT") != "" {
		dark := false
		opts.Dark = &dark
	}
	playEngine(f)
	if err := Run(context.Background(), f, opts); err != nil {
		t.Fatal(err)
	}
}
