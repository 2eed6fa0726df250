package places

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"path/filepath"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// near is how far from a line without code another one is looked for.
const near = 50

// Checked finds mistakes in what is asked of a breakpoint before Delve does,
// which would say less, or say it at the first hit.
func Checked(b debugger.Breakpoint) error {
	if b.Name != "" {
		if err := api.ValidBreakpointName(b.Name); err != nil {
			return advice.Add(fmt.Errorf("name a breakpoint %q: %w", b.Name, err), "use letters and digits")
		}
	}
	if b.Cond != "" {
		if err := Expression(b.Cond); err != nil {
			return advice.Add(fmt.Errorf("condition %q: %w", b.Cond, err), "write a Go expression, such as i == 3 && len(x) > 0")
		}
	}
	if b.HitCond != "" && !hitCondition.MatchString(strings.TrimSpace(b.HitCond)) {
		return advice.Add(fmt.Errorf("hit count %q: not a number with an operator before it", b.HitCond), "write > 3, == 5, or % 10 for each tenth")
	}
	for _, expr := range b.Print {
		if err := Expression(expr); err != nil {
			return fmt.Errorf("print %q: %w", expr, err)
		}
	}
	if b.File == "" && b.Location == "" && b.Watch == "" {
		return errors.New("break: no place was named")
	}
	return nil
}

// hitCondition follows proc.parseHitCondition; a remainder of 0 would divide by it.
var hitCondition = lazyregexp.New(`^(==|>=|<=|>|<|!=)?\s*\d+$|^%\s*0*[1-9]\d*$`)

// Expression tells why a text is no Go expression, and no assignment of one.
func Expression(text string) error {
	_, err := parser.ParseExpr(text)
	if left, right, ok := strings.Cut(text, " = "); ok && err != nil {
		_, errLeft := parser.ParseExpr(left)
		if _, errRight := parser.ParseExpr(right); errLeft == nil && errRight == nil {
			return nil
		}
	}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return errors.New(list[0].Msg) // without line and column
	}
	return err
}

// Refusal says in plain words why Delve does not set a breakpoint.
func Refusal(ctx context.Context, pl *Locator, b debugger.Breakpoint, err error) error {
	switch {
	case errors.Is(err, rpc.ErrNoStatement), errors.Is(err, rpc.ErrNoCodeAt):
		if b.File == "" {
			return errors.New("no statement there")
		}
		none := &debugger.NoCode{File: b.File, Line: b.Line, Nearest: pl.nearest(ctx, b.File, b.Line)}
		if none.Nearest == 0 {
			return advice.Add(none, "the function may be unused, or another build tag's: the binary has no code for it")
		}
		return advice.Add(none, fmt.Sprintf("the nearest is line %d", none.Nearest))
	case errors.Is(err, rpc.ErrNoFile):
		return advice.Add(fmt.Errorf("%s is not part of the program", filepath.Base(b.File)), "another package or build tag may be needed")
	case errors.Is(err, rpc.ErrBreakExists):
		return ask.ErrOccupied
	case errors.Is(err, rpc.ErrNameExists):
		return fmt.Errorf("there is another breakpoint named %q", b.Name)
	case errors.Is(err, rpc.ErrHitCondition):
		return fmt.Errorf("hit count %q: write > 3, == 5 or %% 10", b.HitCond)
	}
	return err
}

// nearest is the line with code that is closest to one without, the later one
// of two: a breakpoint on a comment is meant for what it describes. 0 if there
// is none near.
func (pl *Locator) nearest(ctx context.Context, file string, line int) int {
	for d := 1; d <= near; d++ {
		for _, at := range []int{line + d, line - d} {
			if at < 1 {
				continue
			}
			if found, err := ask.Find(ctx, pl.srv, debugger.FrameRef{}, fmt.Sprintf("%s:%d", file, at)); err == nil && len(found) > 0 && len(found[0].PCs) > 0 {
				return at
			}
		}
	}
	return 0
}
