package proof

import (
	"context"
	"errors"

	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/regress"
	"github.com/pausetui/pausetui/verify/subject"
)

// madeTests are the regression tests of a case, being made.
type madeTests struct {
	done  chan struct{} // closed when tests and err are set
	tests []patch.RegressionTest
	err   error
	// moved tells that the target goes on: its values are not those of the
	// stop any longer.
	moved context.CancelCauseFunc
}

var errMoved = errors.New("the program went on before its values were read")

// wait returns the tests when they are made.
func (m *madeTests) wait(ctx context.Context) ([]patch.RegressionTest, error) {
	select {
	case <-m.done:
		return m.tests, m.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// makeTests makes regression tests from the values of the stop, after the
// built-in fixer has read them.
func (pr *Proofs) makeTests(c *Case, run subject.Run) {
	ctx, cancel := context.WithCancelCause(c.Ctx)
	m := c.tests
	m.moved = cancel
	how := regress.Run{Args: run.Args, ForeignArgs: run.ForeignArgs, Env: pr.Opts.Target.Env, Dir: run.Dir, Stdin: run.Stdin, Test: pr.Opts.Target.Test}
	for _, k := range run.Input {
		how.Typed += k.Text
	}
	pr.Job(func() {
		defer cancel(nil)
		select {
		case <-c.Ready:
			pr.giveHeadStart(c)
			m.err = loop.Contain(func() (err error) {
				m.tests, err = regress.Make(ctx, c.Found, how)
				return err
			})
		case <-ctx.Done():
			m.err = ctx.Err()
		}
		if errors.Is(context.Cause(ctx), errMoved) && len(m.tests) == 0 {
			m.err = errMoved
		}
		close(m.done)
		pr.Post(func() { pr.testsMade(c) })
	})
}

func (pr *Proofs) testsMade(c *Case) {
	if pr.Open != c {
		return
	}
	made := &session.TestsMade{Tests: c.tests.tests}
	if c.tests.err != nil {
		made.Refused = session.Clean(c.tests.err.Error())
	}
	pr.Append(session.EngineActor, made)
}

// code waits for the user's code as it was at the stop.
func (c *Case) code(ctx context.Context) (*workspace.Code, error) {
	select {
	case <-c.Ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.Found.Code == nil {
		return nil, errors.New("the source could not be loaded")
	}
	return c.Found.Code, nil
}

// Resumed ends the reading of the stop's values: the target goes on.
func (c *Case) Resumed() {
	if c != nil && c.tests.moved != nil {
		c.tests.moved(errMoved)
	}
}
