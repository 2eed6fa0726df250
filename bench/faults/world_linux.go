package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
	"golang.org/x/tools/txtar"
)

// world is the directory of one run: the person's project, home and temporary files. It
// is at the same place for each run, so that the go command finds what it has built, and
// has a file system of its own where that is possible.
type world struct {
	order
	here string
}

// places are directories that may be full or read-only.
var places = map[string]string{"project": "project", "log": "project/debug", "state": "state/pausetui", "temp": "temp"}

// makeWorld fills the directory with the end of another scenario, or the files of a module.
// The place, if it is not empty, is a small disk.
func makeWorld(o order, s *scenario, place string) (world, error) {
	w := world{o, filepath.Join(o.Base, "here")}
	if !o.Private { // otherwise other runs have their disks there, which would go with it
		if err := os.RemoveAll(w.here); err != nil {
			return w, err
		}
	}
	if err := os.MkdirAll(w.here, 0o700); err != nil {
		return w, err
	}
	if o.Private {
		if err := syscall.Mount("tmpfs", w.here, "tmpfs", 0, "size=1g,mode=700"); err != nil {
			return w, fmt.Errorf("mount a disk: %w", err)
		}
	}
	for _, dir := range []string{"project", "state/pausetui", "config", "temp", "home"} {
		if err := os.MkdirAll(w.path(dir), 0o700); err != nil {
			return w, err
		}
	}
	if place != "" {
		if err := w.disk(place); err != nil {
			return w, err
		}
	}
	if s.from != "" {
		for _, dir := range []string{"project", "state"} {
			if err := copyTree(w.path(dir), filepath.Join(o.Base, "templates", s.from, dir)); err != nil {
				return w, err
			}
		}
		return w, nil
	}
	if err := os.WriteFile(w.path("state/pausetui/screen.json"), []byte(`{"hinted":true}`), 0o600); err != nil {
		return w, err
	}
	return w, write(w.path("project"), s.files)
}

func write(dir, archive string) error {
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// copyTree copies files over what there is.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(target, info.Mode().Perm())
		}
		if !info.Mode().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(target, data, info.Mode().Perm()); err != nil {
			return err
		}
		return os.Chtimes(target, info.ModTime(), info.ModTime())
	})
}

// save keeps the project and the state for the runs that begin with them.
func (w world) save() error {
	for _, dir := range []string{"project", "state"} {
		if err := copyTree(filepath.Join(w.Save, dir), w.path(dir)); err != nil {
			return err
		}
	}
	return nil
}

func (w world) path(name string) string { return filepath.Join(w.here, filepath.FromSlash(name)) }

// disk mounts a file system of its own at a place.
func (w world) disk(place string) error {
	dir := w.path(places[place])
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=96m,mode=700"); err != nil {
		return fmt.Errorf("mount a disk: %w", err)
	}
	if place != "log" {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600)
}

// filler is the file that fills a disk.
func (w world) filler(place string) string { return filepath.Join(w.path(places[place]), ".filler") }

// fill leaves so many bytes free.
func (w world) fill(place string, free int) error {
	f, err := os.Create(w.filler(place))
	if err != nil {
		return err
	}
	defer f.Close()
	for chunk := bytes.Repeat([]byte("full"), 1<<18); err == nil; {
		_, err = f.Write(chunk)
	}
	size, err := f.Seek(0, 1)
	if err != nil {
		return err
	}
	return f.Truncate(max(0, size-int64(free)))
}

// immutable is the flag of a directory in which nothing can be made, renamed or removed
// (chattr +i, see FS_IOC_SETFLAGS): open files can still be written.
const immutable = 0x10

// readOnly makes a place read-only, or writable again. The kernel refuses to mount it so
// while a file there is open for writing: then its directory is made immutable.
func (w world) readOnly(place string, only bool) error {
	dir := w.path(places[place])
	mode := uintptr(syscall.MS_REMOUNT)
	if only {
		mode |= syscall.MS_RDONLY
	}
	if err := syscall.Mount("", dir, "", mode, ""); err == nil && only {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	flags := 0
	if only {
		flags = immutable
	}
	return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags)
}

// env is the environment of a person with nothing but the go command.
func (w world) env(more ...string) []string {
	env := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "USER=anna",
		"HOME=" + w.path("home"), "TMPDIR=" + w.path("temp"), "XDG_STATE_HOME=" + w.path("state"), "XDG_CONFIG_HOME=" + w.path("config"),
		"PWD=" + w.path("project"), "OLLAMA_HOST=127.0.0.1:1", "GOFLAGS=-buildvcs=false", "GOTOOLCHAIN=local", "GOTELEMETRY=off"}
	return append(append(env, w.GoEnv...), more...)
}

// command is pausetui in the project.
func (w world) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.Bin, args...)
	cmd.Dir, cmd.Env = w.path("project"), w.env()
	return cmd
}

// sources are the files of the project by their names, without those of logs.
func sources(project string) (map[string]string, error) {
	files := map[string]string{}
	return files, filepath.WalkDir(project, func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(project, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"debug", ".pausetui", ".git"}, name):
			return filepath.SkipDir
		case d.IsDir() || d.Name() == ".filler":
			return nil
		}
		data, err := os.ReadFile(path)
		files[name] = string(data)
		return err
	})
}
