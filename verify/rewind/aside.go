package rewind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/aside"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/scan"
)

// ErrClosed is returned where the stop is over.
var ErrClosed = errors.New("the program has gone on")

// Aside runs the unpatched program once more in the sandbox, as the target was run, and
// returns what was read at a place. ended says how the run ended, in words that quote
// nothing of it; empty where all was read.
func (v *Program) Aside(ctx context.Context, l aside.Look) (got aside.Read, ended string, err error) {
	err = v.beside(ctx, func(ctx context.Context) error {
		got, ended, err = v.lookAside(ctx, l)
		return err
	})
	return got, ended, err
}

// beside does work that runs the unpatched program once more; Close waits for it.
func (v *Program) beside(ctx context.Context, work func(context.Context) error) (err error) {
	switch {
	case v.closing.Err() != nil:
		return ErrClosed
	case v.Subject.Unrunnable != "":
		return errors.New(v.Subject.Unrunnable)
	case !v.Runs():
		return sandbox.ErrNoSandbox
	}
	done := make(chan struct{})
	v.Background(ctx, func(ctx context.Context) {
		defer close(done)
		err = work(ctx)
	})
	<-done
	return err
}

func (v *Program) lookAside(ctx context.Context, l aside.Look) (got aside.Read, ended string, err error) {
	source, err := v.Source(l.File, nil)
	if err != nil {
		return got, "", err
	}
	unknown, err := v.partsOf(ctx, source, &l)
	if err != nil {
		return got, "", err
	}
	added, err := aside.Mark(source, l)
	if err != nil {
		return got, "", err
	}
	dir, err := os.MkdirTemp(v.Dir, "aside-")
	if err != nil {
		return got, "", err
	}
	defer func() { _ = scratch.Remove(dir) }()
	built, err := build.Build(ctx, v.Counted(filepath.Join(dir, "program"), map[string]string{}, added), nil)
	if err != nil {
		return got, "", v.notThere(err, l.ComputesLength())
	}
	if unknown != nil {
		return got, "", unknown
	}
	file, err := os.OpenFile(filepath.Join(dir, "values"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return got, "", err
	}
	defer file.Close()
	if failing, ok := v.Failing(); ok {
		_, _, err = v.RunTest(ctx, built.Binary, failing, file)
		ended = "the test ended"
	} else {
		var r sandbox.Result
		r, err = v.Execute(ctx, built.Binary, v.InstrumentedWall(), file)
		ended = "the run " + execute.EndingClass(r)
	}
	if err != nil {
		return got, "", err
	}
	if got, err = aside.ReadFrom(io.NewSectionReader(file, 0, 1<<62), l); len(got.Rows) == l.Times {
		ended = ""
	}
	return got, ended, err
}

// partsOf fills in what the expressions of a look are made of. unknown says that this is not
// known of one: what the compiler says of it comes first.
func (v *Program) partsOf(ctx context.Context, source string, l *aside.Look) (unknown, err error) {
	if v.Subject.Code == nil {
		return nil, errors.New("the source of the program is not known")
	}
	code, err := v.Subject.Code(ctx)
	if err != nil {
		return nil, err
	}
	pkg, file, ok := code.FileOf(l.File)
	if !ok || pkg.Types == nil {
		return nil, fmt.Errorf("%s is not part of the program's own code", filepath.Base(l.File))
	}
	err = l.Parts(source, aside.Types{Fset: code.Fset, Package: pkg.Types, File: file})
	if errors.Is(err, aside.ErrParts) {
		return err, nil
	}
	return nil, err
}

// notThere says why expressions do not compile at a place, without what may quote the
// value of a constant.
func (v *Program) notThere(err error, lengths bool) error {
	var refusal *build.Error
	if !errors.As(err, &refusal) {
		return errors.New(v.Reason(err))
	}
	var said []string
	for _, d := range refusal.Diagnostics {
		if scan.Sendable(d.Message, lengths) && len(said) < 5 {
			said = append(said, d.Message)
		}
	}
	if len(said) == 0 {
		said = []string{"the compiler refuses it"}
	}
	return fmt.Errorf("an expression does not compile there: %s", strings.Join(said, "; "))
}
