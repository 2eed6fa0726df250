// Command recording plays scripts on the real program and draws what the screen showed:
// an animated SVG, stills of it, and the text of its scenes.
//
//	go run ./bench/recording [-o docs] [tour|why|service]
//
// The program, the fixes and their proofs are real; waits are shortened. The scripts
// are in script.go. Tests compare the files with each other and with the program.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
)

func main() {
	out := flag.String("o", "docs", "directory to write the pictures and their texts to")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, r := range recordings {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), r.name) {
			continue
		}
		if err := r.write(ctx, *out); err != nil {
			fmt.Fprintln(os.Stderr, "recording:", err)
			os.Exit(1)
		}
	}
}

// write records the script and writes its files.
func (r recording) write(ctx context.Context, out string) error {
	scenes, err := r.record(ctx, ".")
	if err != nil {
		return err
	}
	text := r.transcript(scenes)
	if err := os.WriteFile(filepath.Join(out, r.name+".txt"), text, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, r.name+".svg"), r.picture(scenes, text), 0o644); err != nil {
		return err
	}
	for _, s := range scenes {
		if !slices.Contains(r.stills, s.name) {
			continue
		}
		s.frames = s.frames[len(s.frames)-1:]
		if err := os.WriteFile(filepath.Join(out, s.name+".svg"), r.picture([]scene{s}, text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// record plays the script with the program of a repository, on a copy of the example.
func (r recording) record(ctx context.Context, repository string) ([]scene, error) {
	temp, err := os.MkdirTemp("", "pausetui-recording-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	temp, err = filepath.EvalSymlinks(temp)
	if err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(temp, "bin", "pausetui"), "./cmd/pausetui")
	build.Dir = repository
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build pausetui: %w\n%s", err, out)
	}
	dir := filepath.Join(temp, "warehouse")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if r.example != "" {
		if err := os.CopyFS(filepath.Join(dir, "examples", r.example), os.DirFS(filepath.Join(repository, "examples", r.example))); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/warehouse\n\ngo 1.26\n"), 0o600); err != nil {
		return nil, err
	}
	shell := exec.CommandContext(ctx, "sh", "-i")
	shell.Dir = dir
	shell.Env = environment(temp, dir)
	return play(ctx, shell, r.script)
}

// passed are the variables that the shell inherits. Others, such as keys of models,
// would change what it shows.
var passed = []string{"HOME", "USER", "LANG", "TMPDIR", "GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN"}

// environment is that of a person who has not used pausetui before.
func environment(temp, dir string) []string {
	env := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "PS1=$ ", "PWD=" + dir,
		"PATH=" + filepath.Join(temp, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		"XDG_STATE_HOME=" + filepath.Join(temp, "state"), "XDG_CONFIG_HOME=" + filepath.Join(temp, "config")}
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
