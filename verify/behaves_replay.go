package verify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/behavior"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/execute"
)

// beforehand makes inputs of recorded calls and calls the unpatched functions with them.
func (b *behaving) beforehand(ctx context.Context, p part, all []replay.Call) (answers, error) {
	r, err := b.old.replayer(ctx, b, p.dir, all)
	if err != nil {
		return answers{}, err
	}
	if r.pkg.Name == "main" {
		p.calls = behavior.In(p.calls, p.importPath)
	}
	first, err := b.replay(ctx, r, p.dir, replay.Order{Make: true, Inputs: behaviorInputs, Budget: behaviorBudget}, p.calls)
	if err != nil {
		return answers{}, err
	}
	again, err := b.replay(ctx, r, p.dir, replay.Order{}, first.Calls)
	if err != nil {
		return answers{}, err
	}
	return answers{calls: first.Calls, first: first.Outcomes, again: again.Outcomes}, nil
}

// with is what calls the functions with the candidate: the program that holds the versions of
// several, or one of its own.
func (b *behaving) with(ctx context.Context, p part, all []replay.Call) (replayer, error) {
	shared, err := b.old.replayer(ctx, b, p.dir, all)
	if err != nil {
		return replayer{}, err
	}
	binary, err := shared.joined.binary(shared.binary, b.candidate)
	if err != nil {
		return replayer{}, err
	}
	if binary != "" {
		return replayer{binary: binary, pkg: shared.pkg}, nil
	}
	binary, pkg, err := b.buildReplay(ctx, filepath.Join(b.dir, "now"), p, b.overlay)
	return replayer{binary: binary, pkg: pkg}, err
}

// buildReplay builds the test binary that calls functions of a package again, and none of
// the package's own tests.
func (b *behaving) buildReplay(ctx context.Context, into string, p part, overlay map[string]string) (binary string, pkg behavior.Package, err error) {
	files := map[string]string{}
	path, err := b.addReplay(p.functions[0].File, files)
	if err != nil {
		return "", pkg, err
	}
	a := patched{v: b.Verifier, overlay: overlay}
	_, sources := a.packageFiles(b.Subject.Workspace.Rel(p.dir))
	pkg = behavior.NewPackage(p.importPath, sources)
	tests, err := filepath.Glob(filepath.Join(p.dir, "*_test.go"))
	if err != nil {
		return "", pkg, fmt.Errorf("find the tests of %q: %w", p.importPath, err)
	}
	for _, file := range tests {
		text, err := regular.Read(file)
		if err != nil {
			return "", pkg, fmt.Errorf("find the tests of %q: %w", p.importPath, err)
		}
		files[file] = "package " + cmp.Or(behavior.NewPackage(p.importPath, map[string]string{file: string(text)}).Name, pkg.Name) + "\n"
	}
	files[filepath.Join(p.dir, behavior.TestFile)] = pkg.Test(path, p.functions, p.calls)
	spec := b.Spec("", overlay, files)
	spec.DebugPatterns = nil // as the tests are built, for the cache
	built, err := build.TestBinaries(ctx, spec, []string{p.importPath}, into)
	if err != nil {
		return "", pkg, err
	}
	return built[0].Path, pkg, built[0].Err
}

// replay runs such a binary until all calls are made. A call that does not come back ends
// its run, and the next one goes on after it.
func (b *behaving) replay(ctx context.Context, r replayer, dir string, o replay.Order, calls []replay.Call) (*behavior.Outcomes, error) {
	if !o.Make {
		o.Inputs = len(calls)
	}
	var all behavior.Outcomes
	left := execute.NewBudget(behaviorTimeout)
	for range behaviorRuns {
		o.Start = all.Next
		code, said, err := b.replayOnce(ctx, r, dir, left, o, calls, &all)
		if err != nil {
			return nil, err
		}
		all.Ended(code, said)
		if all.Done || all.Next <= o.Start || left.Rest() <= 0 {
			break // or it does not even begin, or takes too long in all
		}
	}
	return &all, nil
}

func (b *behaving) replayOnce(ctx context.Context, r replayer, dir string, left *execute.Budget, o replay.Order, calls []replay.Call, all *behavior.Outcomes) (code int, said string, err error) {
	input, err := behavior.Input(o, calls)
	if err != nil {
		return 0, "", err
	}
	out, err := os.CreateTemp(b.dir, "outcomes-")
	if err != nil {
		return 0, "", fmt.Errorf("call functions again: %w", err)
	}
	defer out.Close()
	in, err := os.CreateTemp(b.dir, "calls-")
	if err != nil {
		return 0, "", fmt.Errorf("call functions again: %w", err)
	}
	defer in.Close()
	if _, err = in.Write(input); err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err != nil {
		return 0, "", fmt.Errorf("call functions again: %w", err)
	}
	var printed bytes.Buffer
	ended, err := b.TestStart(r.binary, r.binary, dir, left, out, in)(ctx, []string{"-test.run=^" + behavior.TestName + "$", "-test.timeout=0"}, &printed, func(time.Duration, time.Duration) {})
	if err != nil {
		return 0, "", err
	}
	return ended.Code, printed.String(), all.Read(io.NewSectionReader(out, 0, maxCalls))
}
