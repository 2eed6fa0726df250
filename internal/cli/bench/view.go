package bench

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/bench/matrix"
	scores "github.com/pausetui/pausetui/bench/report"
	"github.com/pausetui/pausetui/internal/cli"
	globs "github.com/pausetui/pausetui/internal/glob"
)

// viewFlags are the flags that say what of a run is shown.
type viewFlags struct {
	sort    string
	only    []string
	noColor bool
	noTimes bool
}

func (o *viewFlags) register(s *pflag.FlagSet) {
	s.StringVar(&o.sort, "sort", "right", "sort models and prompts by `SCORE`")
	s.StringSliceVar(&o.only, "only", nil, "show only the models with prompts that match `GLOB`, or class:GLOB")
	s.BoolVar(&o.noColor, "no-color", false, "use no colors (also NO_COLOR)")
	s.BoolVar(&o.noTimes, "no-times", false, "leave out what depends on the machine, so that the same answers give the same bytes")
}

// view makes the view; what is wrong with the flags is a mistake in the usage.
func (o *viewFlags) view() (scores.View, error) {
	if _, ok := scores.FindScore(o.sort); !ok {
		return scores.View{}, cli.UsageError(fmt.Errorf("--sort %q: want one of %s", o.sort, strings.Join(scoreKeys(), ", ")))
	}
	v := scores.View{Sort: o.sort, Times: !o.noTimes, Color: !o.noColor}
	var names, classes []string
	for _, p := range o.only {
		if class, ok := strings.CutPrefix(p, "class:"); ok {
			classes = append(classes, class)
		} else {
			names = append(names, p)
		}
	}
	if len(names) > 0 {
		v.Columns = func(name string) bool { return matchesAny(names, name) }
	}
	if len(classes) > 0 {
		v.Cases = func(c matrix.Case) bool { return matchesAny(classes, c.Class) }
	}
	return v, nil
}

func matchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if globs.Match(p, name) {
			return true
		}
	}
	return false
}

func scoreKeys() []string {
	var keys []string
	for _, s := range scores.Scores {
		keys = append(keys, s.Key)
	}
	return keys
}

// text prints the matrix, with colors where they can be seen.
func (o *viewFlags) text(w io.Writer, s *scores.Summary, troubles map[matrix.Cell]string) error {
	v, err := o.view()
	if err != nil {
		return err
	}
	if f, ok := w.(term.File); ok {
		if width, _, err := term.GetSize(f.Fd()); err == nil {
			v.Width = width
		}
	}
	return scores.Text(colorprofile.NewWriter(w, os.Environ()), s, troubles, v)
}

// stillTroubled are the troubles of cells that have no result.
func stillTroubled(dir string, p matrix.Plan, troubles map[matrix.Cell]string) map[matrix.Cell]string {
	if len(troubles) > 0 {
		_ = matrix.Scan(dir, p, func(r matrix.Result) { delete(troubles, r.Cell) }) // was read before
	}
	return troubles
}

// below is the error of columns whose scores are below the limits.
func below(s *scores.Summary, limits []limit) error {
	var low []string
	for _, l := range limits {
		score, _ := scores.FindScore(l.score)
		for i, c := range s.Columns {
			if share := s.Share(i, score, func(matrix.Case) bool { return true }); share.Of > 0 && share.Rate() < l.share {
				low = append(low, fmt.Sprintf("%s: %s is %.2f, below %.2f", c.Name(), l.score, share.Rate(), l.share))
			}
		}
	}
	if len(low) > 0 {
		return cli.Exit(exitBelow, fmt.Errorf("%s", strings.Join(low, "; ")))
	}
	return nil
}
