package regress

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/behavior/replay"
)

// A test that asserts an answer that depends on the clock passes today and fails from tomorrow
// on. Two runs a second apart do not show it; the source does.

// surroundings are what the standard library tells of the time and the machine, by package:
// "T.M" is a method.
var surroundings = map[string]map[string]string{
	"time": {"the clock": "Now Since Until After AfterFunc NewTicker NewTimer Tick",
		"the time zone": "Local LoadLocation Unix UnixMicro UnixMilli Time.Local"},
	"context":      {"the clock": "WithDeadline WithDeadlineCause WithTimeout WithTimeoutCause"},
	"math/rand":    {"random numbers": "ExpFloat64 Float32 Float64 Int Int31 Int31n Int63 Int63n Intn NormFloat64 Perm Read Shuffle Uint32 Uint64"},
	"math/rand/v2": {"random numbers": "ExpFloat64 Float32 Float64 Int Int32 Int32N Int64 Int64N IntN N NormFloat64 Perm Shuffle Uint Uint32 Uint32N Uint64 Uint64N UintN"},
	"crypto/rand":  {"random numbers": "Int Prime Read Reader Text"},
	"hash/maphash": {"random numbers": "Bytes Comparable MakeSeed String WriteComparable Hash.Seed Hash.Sum64"},
	"os": {"the environment": "Args Environ ExpandEnv Getenv LookupEnv Stdin",
		"the machine": "Executable Getegid Geteuid Getgid Getgroups Getpagesize Getpid Getppid Getuid Getwd Hostname TempDir UserCacheDir UserConfigDir UserHomeDir"},
	"fmt":     {"the environment": "Scan Scanf Scanln"},
	"os/exec": {"the machine": "Command CommandContext LookPath"},
	"os/user": {"the machine": "Current Lookup LookupGroup LookupGroupId LookupId User.GroupIds"},
	"runtime": {"the machine": "Caller Callers GOARCH GOMAXPROCS GOOS NumCPU NumGoroutine ReadMemStats Stack"},
	"syscall": {"the environment": "Environ Getenv", "the machine": "Getpid Getppid Getuid Gettimeofday Getwd"},
	"net": {"the network": "Dial DialIP DialTCP DialTimeout DialUDP DialUnix InterfaceAddrs InterfaceByName Interfaces Listen ListenPacket ListenTCP ListenUDP " +
		"LookupAddr LookupCNAME LookupHost LookupIP LookupMX LookupNS LookupPort LookupSRV LookupTXT Dialer.Dial Dialer.DialContext"},
	"net/http": {"the network": "DefaultClient Get Head Post PostForm Client.Do Client.Get Client.Head Client.Post Client.PostForm"},
}

// tells names what a part of the standard library tells of the time or the machine; empty
// where it tells nothing.
func tells(path, name string) string {
	for what, names := range surroundings[path] {
		if slices.Contains(strings.Fields(names), name) {
			return what
		}
	}
	if strings.Contains(fileFunctions[path], " "+name+" ") {
		return "files"
	}
	return ""
}

// varies says why the answers of a function may be others at another time or place: what it
// or one that it calls reads. It is empty where none does, as far as the source tells.
func (m *maker) varies(fn workspace.Func, rows []Row) string {
	r := &reading{code: m.c.Code, x: m.c.Code.Index(), outside: map[string]*outsider{}, seen: map[string]bool{}}
	r.function(fn)
	for _, row := range rows {
		r.passed(fn, row.Args)
	}
	for n := 0; len(r.next) > 0 && n < maxReached && r.why == ""; n++ {
		visit := r.next[0]
		r.next = r.next[1:]
		visit()
	}
	return r.why
}

// reading follows what a call of a function may run.
type reading struct {
	code    *workspace.Code
	x       *workspace.Index
	outside map[string]*outsider // packages of other modules, by import path
	seen    map[string]bool
	next    []func()
	why     string
}

// later has something looked at, once.
func (r *reading) later(key string, visit func()) {
	if !r.seen[key] {
		r.seen[key] = true
		r.next = append(r.next, visit)
	}
}

func (r *reading) found(what, name, in string) {
	if r.why == "" {
		r.why = fmt.Sprintf("its answer may depend on %s: %s in %s", what, name, in)
	}
}

func (r *reading) function(fn workspace.Func) {
	if fn.Object != nil && fn.Decl.Body != nil {
		r.later(fn.Object.FullName(), func() { r.node(fn.Package.TypesInfo, fn.Decl.Body, declared(fn)) })
	}
}

// passed looks at the functions that the arguments of a call hold.
func (r *reading) passed(fn workspace.Func, nodes []replay.Node) {
	for _, n := range nodes {
		if n.Kind == replay.Func {
			if f, ok := fn.Package.Types.Scope().Lookup(n.Text[strings.LastIndexByte(n.Text, '.')+1:]).(*types.Func); ok {
				r.object(f, declared(fn))
			}
		}
		r.passed(fn, n.Nodes)
	}
}

// node looks at all that a piece of code names.
func (r *reading) node(info *types.Info, n ast.Node, in string) {
	free := zoneless(n)
	for n := range ast.Preorder(n) {
		if id, ok := n.(*ast.Ident); ok && !free[id] && info.Uses[id] != nil {
			r.object(info.Uses[id], in)
		}
	}
}

func (r *reading) object(o types.Object, in string) {
	if o.Pkg() == nil {
		return
	}
	path, name := o.Pkg().Path(), memberName(o)
	v, isVar := o.(*types.Var)
	if isVar && (v.IsField() || o.Parent() != o.Pkg().Scope()) {
		return
	}
	if what := tells(path, name); what != "" {
		r.found(what, o.Pkg().Name()+"."+name, in)
		return
	}
	if fn, ok := o.(*types.Func); ok {
		targets := r.x.Targets(fn.Origin())
		for _, t := range targets {
			r.function(t)
		}
		if len(targets) == 0 {
			r.elsewhere(path, o.Name())
		}
	}
	if isVar {
		writes := r.x.Writes(v)
		for _, u := range writes {
			if u.Value != nil && u.In != nil && !u.Test {
				r.later(path+"."+name+"="+r.code.Fset.Position(u.Value.Pos()).String(), func() { r.node(u.In.Package.TypesInfo, u.Value, name) })
			}
		}
		if len(writes) == 0 {
			r.elsewhere(path, o.Name())
		}
	}
}

// memberName is the name of an object in its package: "Now", "Time.Local".
func memberName(o types.Object) string {
	fn, ok := o.(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return o.Name()
	}
	t := fn.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name() + "." + o.Name()
	}
	return o.Name()
}

// zoneless are the names of the functions that make a time of which no more is asked than
// what is the same in all zones: time.Unix(0, 0).UTC().
func zoneless(n ast.Node) map[*ast.Ident]bool {
	free := map[*ast.Ident]bool{}
	for n := range ast.Preorder(n) {
		of, ok := n.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"UTC", "In", "Unix", "UnixMilli", "UnixMicro", "UnixNano", "IsZero", "Equal", "Before", "After", "Compare", "Sub"}, of.Sel.Name) {
			continue
		}
		if call, ok := ast.Unparen(of.X).(*ast.CallExpr); ok {
			if made, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(made.Sel.Name, "Unix") {
				free[made.Sel] = true
			}
		}
	}
	return free
}

// Supplies says what a change has a file read of the time and the machine that it did not
// read before; empty where that is nothing.
func Supplies(before, after string) string {
	was := named(before)
	now := named(after)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if now[name].n > was[name].n {
			return fmt.Sprintf("the answer of the fix may depend on %s: %s", now[name].what, name)
		}
	}
	return ""
}

type mention struct {
	n    int
	what string
}

// named counts what a file names of the time and the machine.
func named(text string) map[string]mention {
	list := map[string]mention{}
	file := parseText(token.NewFileSet(), text)
	if file == nil {
		return list
	}
	imports, free := importsOf(file), zoneless(file)
	for n := range ast.Preorder(file) {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || free[sel.Sel] {
			continue
		}
		if id, ok := sel.X.(*ast.Ident); ok {
			if what := tells(imports[id.Name], sel.Sel.Name); what != "" {
				name := id.Name + "." + sel.Sel.Name
				list[name] = mention{list[name].n + 1, what}
			}
		}
	}
	return list
}
