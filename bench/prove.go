package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/tools/txtar"
)

// Prove shows that a case is what it says, working in the empty directory dir:
// as it stands it crashes with its class, in its function, and is not right;
// nor is it right once a recover swallows the crash; with the reference fix it
// runs clean and is right.
func (c *Case) Prove(ctx context.Context, dir string) error {
	if err := c.proveCrash(ctx, filepath.Join(dir, "unfixed")); err != nil {
		return fmt.Errorf("%s: unfixed: %w", c.Name, err)
	}
	if !c.CanBeFixed() {
		return nil
	}
	if err := c.proveHushed(ctx, filepath.Join(dir, "hushed")); err != nil {
		return fmt.Errorf("%s: with a recover in %s: %w", c.Name, c.StopsIn, err)
	}
	if err := c.proveFixed(ctx, filepath.Join(dir, "fixed")); err != nil {
		return fmt.Errorf("%s: with the reference fix: %w", c.Name, err)
	}
	return nil
}

// prepare lays the files out and returns a directory for temporary files.
func (c *Case) prepare(dir string, files []txtar.File) (module, temp string, err error) {
	module, temp = filepath.Join(dir, "module"), filepath.Join(dir, "temp")
	return module, temp, errors.Join(c.layout(module, files), os.MkdirAll(temp, 0o700))
}

func (c *Case) proveCrash(ctx context.Context, dir string) error {
	module, temp, err := c.prepare(dir, c.module)
	if err != nil {
		return err
	}
	if c.Kind == Program && c.hasTests() {
		if err := c.passes(ctx, module); err != nil {
			return fmt.Errorf("the visible tests: %w", err)
		}
	}
	e, err := c.visible(ctx, module, temp)
	if err != nil {
		return err
	}
	report := c.crashReport(e)
	if e.late || e.code == 0 || !classes[c.Class].MatchString(report) {
		return fmt.Errorf("does not stop with %s: %s", c.Class, e)
	}
	if at := culprit(report, c.modulePath()).function; at != c.StopsIn && c.Class != "test-failure" {
		return fmt.Errorf("stops in %q, not in %q: %s", at, c.StopsIn, e)
	}
	if !c.CanBeFixed() {
		return nil
	}
	return c.proveWrong(ctx, module, temp)
}

func (c *Case) proveHushed(ctx context.Context, dir string) error {
	if c.Class == "test-failure" {
		return nil // nothing panics
	}
	files, err := c.hushed()
	if err != nil {
		return err
	}
	module, temp, err := c.prepare(dir, files)
	if err != nil {
		return err
	}
	if c.Hidden.QuietIsRight {
		return c.right(ctx, module, temp) // or else the setting is wrong
	}
	return c.proveWrong(ctx, module, temp)
}

// proveWrong shows that the hidden check finds something wrong, and that it is
// behavior.
func (c *Case) proveWrong(ctx context.Context, module, temp string) error {
	err := c.right(ctx, module, temp)
	var wrong *WrongError
	switch {
	case err == nil:
		return errors.New("the hidden check finds nothing wrong")
	case !errors.As(err, &wrong) || wrong.Broken:
		return err
	}
	return nil
}

func (c *Case) proveFixed(ctx context.Context, dir string) error {
	module, temp, err := c.prepare(dir, c.fixedModule())
	if err != nil {
		return err
	}
	e, err := c.visible(ctx, module, temp)
	if err != nil {
		return err
	}
	if e.crashed() || c.Kind == Test && e.code != 0 {
		return fmt.Errorf("does not run clean: %s", e)
	}
	if c.hasTests() && !c.Hidden.Test {
		if err := c.passes(ctx, module); err != nil {
			return fmt.Errorf("the visible tests: %w", err)
		}
	}
	return c.right(ctx, module, temp)
}

func (c *Case) passes(ctx context.Context, module string) error {
	e, err := c.goTest(ctx, module, "./...")
	if err == nil && (e.code != 0 || e.late) {
		err = fmt.Errorf("%s", e)
	}
	return err
}
