package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Build builds the package and reports how far it is, from one goroutine at a
// time, until it returns; onProgress may be nil.
//
// It fails with *Error when the compiler refused, and with the package's
// sentinels, each with a hint, when there is nothing to compile.
func Build(ctx context.Context, s Spec, onProgress func(Progress)) (Result, error) {
	begun := time.Now()
	o, err := newOverlay(s.Overlay)
	if err != nil {
		return Result{}, err
	}
	defer o.Close()

	m := newMeter(onProgress)
	watching, stop := context.WithCancel(ctx)
	var watchers sync.WaitGroup
	watchers.Go(func() { m.watch(watching) })
	watchers.Go(func() { m.size(watching, s, append(sizeFlags(s), o.flags()...)) })
	in, digest, err := compile(ctx, s, o, m, begun)
	stop()
	watchers.Wait()
	if err != nil {
		return Result{}, err
	}
	return Result{Binary: s.Output, Took: time.Since(begun), Inputs: digest, Dirs: in.dirs()}, nil
}

// sizeFlags are the flags under which a package is stale or not.
func sizeFlags(s Spec) []string {
	args := arguments(s)
	return args[slices.Index(args, "-v")+1:]
}

// compile runs the go command and meanwhile gathers what it is built from.
// What is wrong with the package itself ends the build at once.
func compile(ctx context.Context, s Spec, o *overlay, m *meter, begun time.Time) (in *inputs, digest string, err error) {
	if s.Scratch {
		return &inputs{}, "", gobuild(ctx, s, o, m)
	}
	building, cancel := context.WithCancel(ctx)
	defer cancel()
	var wait sync.WaitGroup
	var unfit error
	wait.Go(func() {
		if in, unfit = examine(ctx, s, o, m); unfit != nil {
			cancel()
		}
	})
	err = gobuild(building, s, o, m)
	wait.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case unfit != nil: // knows better than the compiler what is wrong
		return nil, "", unfit
	case err != nil:
		return nil, "", err
	case in.changedSince(begun, s):
		return in, "", nil // what was built from is not known for sure: equal to nothing
	}
	digest, err = in.digest(s)
	return in, digest, err
}

// dirs are the directories of the packages.
func (in *inputs) dirs() []string {
	var list []string
	for _, p := range in.pkgs {
		list = append(list, p.Dir)
	}
	return list
}

// examine lists what will be built and reports whether it can be.
func examine(ctx context.Context, s Spec, o *overlay, m *meter) (*inputs, error) {
	in, err := gather(ctx, s, o)
	if err != nil {
		return nil, err
	}
	if err := check(ctx, s, in.pkgs); err != nil {
		return nil, err
	}
	m.rootIs(roots(in.pkgs)[0].ImportPath)
	return in, nil
}

// gobuild runs the go command of the build.
func gobuild(ctx context.Context, s Spec, o *overlay, m *meter) error {
	if err := os.MkdirAll(filepath.Dir(s.Output), 0o700); err != nil {
		return fmt.Errorf("make the directory of %q: %w", s.Output, err)
	}
	args := slices.Concat(arguments(s), o.flags(), []string{"-o", s.Output}, packages(s))
	if s.Test && len(s.Overlay) > 0 { // vet enters every package's directory, and an overlay may add packages
		args = slices.Insert(args, 1, "-vet=off")
	}
	ended, err := compileTo(ctx, s, o, m, filepath.Dir(s.Output), args...)
	switch {
	case err != nil:
		return err
	case !ended.OK:
		return refusedBy(s, ended, o.named(m.output()))
	}
	return nil
}

// changedSince reports whether a file, or the directory of one, changed after
// that moment. The change time is the kernel's own: no program sets it.
func (in *inputs) changedSince(at time.Time, s Spec) bool {
	dirs := map[string]bool{}
	for _, file := range in.files() {
		if _, ok := s.Overlay[file]; ok {
			continue
		}
		if changed(file, at) {
			return true
		}
		dirs[filepath.Dir(file)] = true
	}
	for dir := range dirs {
		if changed(dir, at) {
			return true
		}
	}
	return false
}

func changed(path string, at time.Time) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false // absent counts in the digest
	}
	latest := info.ModTime()
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		latest = changeTime(st)
	}
	return latest.After(at)
}
