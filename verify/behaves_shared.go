package verify

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/behavior"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/lazy"
)

// unpatched is what comparisons need of the program without any candidate, made once for
// the functions of several candidates.
type unpatched struct {
	dir       string              // of its binaries, until the verifier is closed
	functions []behavior.Function // each has its number
	versions  []patch.Candidate   // that its programs may hold, too
	recording lazy.Value[recording]
	replayers lazy.Map[replayer] // by the directory of the package
	answered  lazy.Map[answers]  // by the functions that are called
}

// recording is what a run of the unpatched program has recorded.
type recording struct {
	why    string // why there is none; empty when there is
	calls  []replay.Call
	unable map[int]string
}

// replayer is a test binary that calls functions of a package again.
type replayer struct {
	binary string
	pkg    behavior.Package
	joined joined // what it holds beside the unpatched functions
}

// answers are what the unpatched functions answer, in two runs.
type answers struct {
	calls        []replay.Call
	first, again map[int]replay.Outcome
}

// mostFunctions is how many functions of other candidates are recorded with those of one.
const mostFunctions = 12

// unpatchedPrograms are those of one verifier.
type unpatchedPrograms struct {
	mu   sync.Mutex
	list []*unpatched
}

// of is one that has the functions; it also gets those of other candidates when it is new.
func (p *unpatchedPrograms) of(v *Verifier, c patch.Candidate, functions []behavior.Function, others []patch.Candidate) (*unpatched, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, u := range p.list {
		if u.has(functions) {
			return u, nil
		}
	}
	for _, other := range others {
		found, _ := changed(v.Subject.Workspace, other)
		for _, f := range found {
			if len(functions) < mostFunctions && !contains(functions, f) {
				functions = append(slices.Clip(functions), f)
			}
		}
	}
	u, err := p.add(v, functions)
	if err == nil {
		u.versions = append([]patch.Candidate{c}, others...)
	}
	return u, err
}

// alone is one that has no other functions than these.
func (p *unpatchedPrograms) alone(v *Verifier, functions []behavior.Function) (*unpatched, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = slices.DeleteFunc(p.list, func(u *unpatched) bool { return u.has(functions) })
	return p.add(v, functions)
}

func (p *unpatchedPrograms) add(v *Verifier, functions []behavior.Function) (*unpatched, error) {
	dir, err := v.newDir("unpatched")
	if err != nil {
		return nil, err
	}
	u := &unpatched{dir: dir, functions: slices.Clone(functions)}
	for i := range u.functions {
		u.functions[i].Num = i
	}
	p.list = append(p.list, u)
	return u, nil
}

func contains(functions []behavior.Function, f behavior.Function) bool {
	f.Num = 0
	return slices.ContainsFunc(functions, func(other behavior.Function) bool {
		other.Num = 0
		return other == f
	})
}

func (u *unpatched) has(functions []behavior.Function) bool {
	return !slices.ContainsFunc(functions, func(f behavior.Function) bool { return !contains(u.functions, f) })
}

// numbered are functions of it with the numbers that they have in it.
func (u *unpatched) numbered(functions []behavior.Function) []behavior.Function {
	return slices.DeleteFunc(slices.Clone(u.functions), func(f behavior.Function) bool { return !contains(functions, f) })
}

// part is the functions in a directory, with the calls that were recorded of them.
func (u *unpatched) part(functions []behavior.Function, dir, importPath string, calls []replay.Call) part {
	p := part{dir: dir, importPath: importPath, functions: those(functions, directory, dir)}
	for _, call := range calls {
		if _, mine := p.function(call.Func); mine {
			p.calls = append(p.calls, call)
		}
	}
	return p
}

// replayer builds the binary that calls all functions in a directory again.
func (u *unpatched) replayer(ctx context.Context, b *behaving, dir string, calls []replay.Call) (replayer, error) {
	return u.replayers.At(dir).Get(ctx, func(ctx context.Context) (replayer, error) {
		p := u.part(u.functions, dir, b.Subject.Workspace.ImportPath(dir), calls)
		into := filepath.Join(u.dir, "before-"+strconv.Itoa(slices.Index(distinct(u.functions, directory), dir)))
		j := b.join(dir, u.versions)
		binary, pkg, err := b.buildReplay(ctx, into, p, j.program.Files)
		if refusal := new(build.Error); errors.As(err, &refusal) && len(j.program.Files) > 0 {
			j = joined{}
			binary, pkg, err = b.buildReplay(ctx, into, p, nil)
		}
		return replayer{binary: binary, pkg: pkg, joined: j}, err
	})
}
