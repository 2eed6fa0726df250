package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/bench/matrix"
	scores "github.com/pausetui/pausetui/bench/report"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	globs "github.com/pausetui/pausetui/internal/glob"
	"github.com/pausetui/pausetui/internal/printable"
)

// caseFlags are the flags that choose cases.
type caseFlags struct {
	patterns []string
	open     bool
}

func (o *caseFlags) register(s *pflag.FlagSet) {
	s.StringSliceVar(&o.patterns, "cases", nil, "use only the cases that match `GLOB` or class:GLOB, or those of a directory instead of the built-in ones")
	s.BoolVar(&o.open, "open", false, "use only the built-in cases that the fixer's authors may read")
}

// set is where cases come from: the built-in ones, unless a directory is given.
func (o *caseFlags) set() (from fs.FS, builtin bool, patterns []string, err error) {
	from, builtin = bench.Corpus(), true
	for _, p := range o.patterns {
		info, statErr := os.Stat(p)
		if statErr != nil || !info.IsDir() || strings.HasPrefix(p, "class:") {
			patterns = append(patterns, p)
			continue
		}
		if !builtin {
			return nil, false, nil, cli.UsageError(fmt.Errorf("--cases %s: want one directory", p))
		}
		from, builtin = os.DirFS(p), false
	}
	return from, builtin, patterns, nil
}

// cases loads the cases that were asked for: by the names of the plan, and as
// the plan shows them. What cannot be used is said, and left out of the plan.
func (o *caseFlags) cases(errs io.Writer) (map[string]*bench.Case, []matrix.Case, error) {
	from, builtin, patterns, err := o.set()
	if err != nil {
		return nil, nil, err
	}
	all, err := bench.Load(from)
	if err != nil {
		printable.Fprintf(errs, "pausetui: left out: %s\n", err.Error())
	}
	used := map[string]*bench.Case{}
	var list []matrix.Case
	for _, c := range all {
		if !wanted(c, patterns) || o.open && !c.Open() {
			continue
		}
		shown, err := shownCase(from, c, closedCase(c, builtin))
		if err != nil {
			return nil, nil, err
		}
		used[shown.Name] = c
		list = append(list, shown)
	}
	if len(list) == 0 {
		err := fmt.Errorf("no case matches --cases %s", strings.Join(o.patterns, ","))
		return nil, nil, cli.UsageError(advice.Add(err, "pausetui bench cases list shows them"))
	}
	return used, list, nil
}

// closedCase reports whether a case is one of the half that the fixer's authors
// may not read, wherever it was loaded from.
func closedCase(c *bench.Case, builtin bool) bool {
	if c.Open() {
		return false
	}
	if !builtin {
		_, err := fs.Stat(bench.Corpus(), c.Name+".txtar")
		builtin = err == nil
	}
	return builtin
}

func wanted(c *bench.Case, patterns []string) bool {
	for _, p := range patterns {
		if class, ok := strings.CutPrefix(p, "class:"); ok && globs.Match(class, c.Class) || !ok && globs.Match(p, c.Name) {
			return true
		}
	}
	return len(patterns) == 0
}

func shownCase(from fs.FS, c *bench.Case, closed bool) (matrix.Case, error) {
	data, err := fs.ReadFile(from, c.Name+".txtar")
	if err != nil {
		return matrix.Case{}, err
	}
	sum := sha256.Sum256(data)
	shown := matrix.Case{Name: c.Name, Hash: hex.EncodeToString(sum[:8]), Class: c.Class, Fault: string(c.Fault), Fixable: c.CanBeFixed(), Closed: closed, Size: c.ReferenceLines()}
	if closed {
		shown.Name = matrix.Hidden(c.Name)
	}
	return shown, nil
}

// limit is one value of --fail-under.
type limit struct {
	score string
	share float64
}

func parseLimits(values []string) ([]limit, error) {
	var list []limit
	for _, v := range values {
		score, share, ok := strings.Cut(v, "=")
		l := limit{score: score}
		if _, err := fmt.Sscan(share, &l.share); err != nil || !ok || l.share < 0 || l.share > 1 {
			return nil, fmt.Errorf("--fail-under %q: want SCORE=SHARE, like right=0.6", v)
		}
		if _, ok := scores.FindScore(score); !ok {
			return nil, fmt.Errorf("--fail-under %q: want one of the scores %s", v, strings.Join(scoreKeys(), ", "))
		}
		list = append(list, l)
	}
	return list, nil
}
