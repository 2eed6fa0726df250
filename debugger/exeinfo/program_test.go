package exeinfo

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// build makes a program of a module of its own.
func build(t *testing.T, flags ...string) (dir, binary string) {
	t.Helper()
	dir = t.TempDir()
	testsupport.Files(t, dir, map[string]string{
		"go.mod":          "module example.com/app\n\ngo 1.25\n",
		"cmd/app/main.go": "package main\n\nfunc main() { println(\"hello\") }\n",
	})
	binary = filepath.Join(dir, "app")
	cmd := exec.Command("go", append(append([]string{"build", "-buildvcs=false", "-o", binary}, flags...), "./cmd/app")...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return dir, binary
}

func TestWhatAProgramSaysOfItself(t *testing.T) {
	for name, test := range map[string]struct {
		flags []string
		bare  bool
		main  string
	}{
		"plain":    {nil, false, "cmd/app/main.go"},
		"stripped": {[]string{"-ldflags=-s -w"}, true, "cmd/app/main.go"},
		"trimmed":  {[]string{"-trimpath", "-tags=x"}, false, "example.com/app/cmd/app/main.go"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, binary := build(t, test.flags...)
			info, err := Read(binary)
			if err != nil {
				t.Fatal(err)
			}
			main, source := test.main, ""
			if name != "trimmed" {
				main, source = filepath.Join(dir, test.main), filepath.Join(dir, "cmd", "app")
			}
			if info.Bare != test.bare || info.MainFile != main || info.SourceDir() != source {
				t.Errorf("bare %v, main in %q, source in %q", info.Bare, info.MainFile, info.SourceDir())
			}
			if info.Build.Path != "example.com/app/cmd/app" || info.Modified.IsZero() {
				t.Errorf("package %q, modified %v", info.Build.Path, info.Modified)
			}
			if name == "trimmed" && (info.Setting("-trimpath") != "true" || info.Setting("-tags") != "x") {
				t.Errorf("settings: %v", info.Build.Settings)
			}
		})
	}
}

func TestWhatIsNoProgramOfGo(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(text); !errors.Is(err, ErrNoGo) {
		t.Errorf("text: %v", err)
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}

func TestFunctionsOfNoProgram(t *testing.T) {
	if _, _, err := Functions(context.Background(), "lines.go"); err == nil {
		t.Error("a source file has a line table")
	}
}

func TestFunctions(t *testing.T) {
	for name, flags := range map[string][]string{"stripped": {"-ldflags=-s -w"}, "loaded anywhere": {"-buildmode=pie"}} {
		t.Run(name, func(t *testing.T) {
			dir, binary := build(t, flags...)
			list, files, err := Functions(context.Background(), binary)
			if err != nil {
				t.Fatal(err)
			}
			main := Function{"main.main", filepath.Join(dir, "cmd", "app", "main.go"), 3}
			if !slices.Contains(list, main) || !slices.Contains(files, main.File) {
				t.Errorf("%v is not among %d functions of %d files", main, len(list), len(files))
			}
		})
	}
}
