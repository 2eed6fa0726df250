package execute

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A candidate may read the whole environment of its process, and a person's holds
// keys to everything. So what is run to prove something gets the variables that
// the program is known to use, and no others: those whose names are whole texts in
// the source of the user's modules, or of packages that it is linked from and that read
// the environment; those that such a text, or a file of settings that the program expands, has
// after $; those in a person's repro command; those that a person gave with --env or
// allows; and those that every program may expect. What reads all variables, or makes
// names that are nowhere in its source, does not get them (see namesUsed).

// usual variables are given to every program. They are no secrets.
var usual = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "TMP", "TEMP", "PWD", "TERM", "COLORTERM", "NO_COLOR", "COLUMNS", "LINES", "HOSTNAME",
	"XDG_*_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR", "GODEBUG", "GOMAXPROCS", "GOMEMLIMIT", "GOGC", "GOTRACEBACK", "GORACE", "GOROOT", "GOPATH", "GOCACHE", "GOMODCACHE", "GOCOVERDIR", "GOEXPERIMENT",
	"GOOS", "GOARCH", "GOTOOLCHAIN", "ZONEINFO", "LD_LIBRARY_PATH",
}

// environment is what a run may see of an environment, in its order.
func (v *Runner) environment(ctx context.Context, env []string) ([]string, error) {
	used, err := v.names(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool { return !v.gives(nameOf(kv), used) }), nil
}

// names are those that the program may look up, found once.
func (v *Runner) names(ctx context.Context) (map[string]bool, error) {
	return v.used.Get(ctx, func(context.Context) (map[string]bool, error) {
		return v.namesUsed(slices.DeleteFunc(slices.Clone(v.wholeEnv()), func(kv string) bool { return v.gives(nameOf(kv), nil) })), nil
	})
}

// withheld names the variables that a run does not see, in their order.
func (v *Runner) withheld() []string {
	used, err := v.names(context.Background())
	if err != nil {
		return nil
	}
	var names []string
	for _, kv := range v.wholeEnv() {
		if name := nameOf(kv); !v.gives(name, used) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (v *Runner) wholeEnv() []string {
	if v.Subject.Run.Env == nil {
		return os.Environ()
	}
	return v.Subject.Run.Env
}

func nameOf(kv string) string {
	name, _, _ := strings.Cut(kv, "=")
	return name
}

// gives reports whether runs see a variable.
func (v *Runner) gives(name string, used map[string]bool) bool {
	matches := func(pattern string) bool { ok, err := path.Match(pattern, name); return ok && err == nil }
	return used[name] || slices.ContainsFunc(usual, matches) ||
		slices.ContainsFunc(v.Subject.Run.Given, func(kv string) bool { return nameOf(kv) == name }) ||
		slices.ContainsFunc(v.Opts.Allow, func(what string) bool {
			pattern, ok := strings.CutPrefix(what, verdict.AllowEnv)
			return ok && matches(pattern)
		})
}

// missing says which variables a run did not see, where that may be why it went
// another way.
func (v *Runner) missing() string {
	names := v.withheld()
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("; environment variables that the program does not name are withheld: %s; --allow env:NAME gives one", finding.Enumerate(names))
}
