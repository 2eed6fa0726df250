package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/verdict"
)

// root is the module that the scenes debug.
func root() string {
	dir, err := filepath.Abs("testdata/indexer")
	if err != nil {
		panic(err)
	}
	return dir
}

func source(name string) string {
	data, err := os.ReadFile(filepath.Join(root(), name))
	if err != nil {
		panic(err)
	}
	return string(data)
}

func started() *session.Started {
	return &session.Started{ID: "20261120-170203", Package: "./cmd/index", Args: []string{"a.txt", "b.txt", "c.txt"}, Dir: root(),
		Workspace: workspace.Workspace{Dir: root(), Root: root(), Modules: []workspace.Module{{Path: "example.com/indexer", Dir: root(), Main: true}}},
		Version:   "0.1.0", Sandbox: "full", Profiles: []string{"built-in", "qwen"}}
}

func docsVariable() debugger.Variable {
	doc := func(i int, name, text string) debugger.Variable {
		return debugger.Variable{Name: fmt.Sprintf("[%d]", i), Type: "main.Doc", Kind: reflect.Struct, Value: "main.Doc {…}", Children: []debugger.Variable{
			{Name: "Name", Type: "string", Kind: reflect.String, Value: name, Len: int64(len(name))},
			{Name: "Text", Type: "string", Kind: reflect.String, Value: text, Len: int64(len(text))},
		}}
	}
	return debugger.Variable{Name: "docs", Expr: "x.docs", Type: "[]main.Doc", Kind: reflect.Slice, Value: "[]main.Doc len 3 cap 4", Len: 3, Cap: 4,
		Children: []debugger.Variable{doc(0, "a.txt", "Go maps panic when nil"), doc(1, "b.txt", "maps grow"), doc(2, "c.txt", "go on")}}
}

func indexVariable() debugger.Variable {
	return debugger.Variable{Name: "x", Expr: "x", Type: "*main.Index", Kind: reflect.Pointer, Value: "*main.Index {…}", Children: []debugger.Variable{{
		Type: "main.Index", Kind: reflect.Struct, Value: "main.Index {…}", Children: []debugger.Variable{
			docsVariable(),
			{Name: "terms", Expr: "x.terms", Type: "map[string][]int", Kind: reflect.Map, Nil: true, Value: "nil"},
			{Name: "count", Expr: "x.count", Type: "int", Kind: reflect.Int, Value: "0"},
		}}}}
}

func integer(name, value string) debugger.Variable {
	return debugger.Variable{Name: name, Expr: name, Type: "int", Kind: reflect.Int, Value: value}
}

func text1(name, value string) debugger.Variable {
	return debugger.Variable{Name: name, Expr: name, Type: "string", Kind: reflect.String, Value: value, Len: int64(len(value))}
}

// panicStack is the stack of the panic.
func panicStack() []debugger.Frame {
	file := func(name string) string { return filepath.Join(root(), name) }
	goroot := "/usr/local/go/src/runtime/"
	return []debugger.Frame{
		{Index: 0, Function: "runtime.fatalpanic", File: goroot + "panic.go", Line: 1298, Runtime: true},
		{Index: 1, Function: "runtime.gopanic", File: goroot + "panic.go", Line: 860, Runtime: true},
		{Index: 2, Function: "runtime.mapassign_faststr", File: goroot + "map_faststr.go", Line: 202, Runtime: true},
		{Index: 3, Function: "main.(*Index).Add", File: file("index.go"), Line: 43, User: true, Loaded: true,
			Args: []debugger.Variable{indexVariable(), text1("term", "go"), integer("doc", "0")}, Locals: []debugger.Variable{integer("seen", "0")}},
		{Index: 4, Function: "main.(*Index).Build", File: file("index.go"), Line: 27, User: true, Loaded: true,
			Args: []debugger.Variable{indexVariable()}, Locals: []debugger.Variable{integer("i", "0"), text1("term", "Go")}},
		{Index: 5, Function: "main.main", File: file("main.go"), Line: 15, User: true},
		{Index: 6, Function: "runtime.main", File: goroot + "proc.go", Line: 285, Runtime: true},
		{Index: 7, Function: "runtime.goexit", File: goroot + "asm_amd64.s", Line: 1693, Runtime: true},
	}
}

func panicStop() *session.Stopped {
	return &session.Stopped{Ran: 1200 * time.Millisecond, Stop: debugger.Stop{
		Reason: debugger.ReasonPanic, Goroutine: 1, Frames: panicStack(), Selected: 3, Goroutines: 13,
		Panic: &debugger.Panic{Class: debugger.NilMapWrite, Message: "assignment to entry in nil map", Culprit: 3, Fingerprint: "00ff00ff00ff00ff",
			Value: debugger.Variable{Type: "error", Kind: reflect.Interface, Children: []debugger.Variable{{Type: "runtime.plainError", Kind: reflect.String, Value: "assignment to entry in nil map"}}}},
	}}
}

func diagnosed() *session.Diagnosed {
	return &session.Diagnosed{Diagnosis: evidence.Diagnosis{Sentence: "x.terms is nil: NewIndex (index.go:20) builds Index without it",
		Expr: "x.terms", Value: "nil map", Origin: "index.go:20"}}
}

func builtin() patch.Source { return patch.Source{Provider: "builtin", Model: "builtin/rules"} }

func qwen() patch.Source {
	return patch.Source{Provider: "ollama", Model: "qwen3-coder:30b", Prompt: "whole-function"}
}

func candidate(id, title, why string, from patch.Source, pairs ...string) *session.Proposed {
	before := source("index.go")
	return &session.Proposed{Request: "a1", Candidate: patch.Candidate{ID: id, Source: from, Title: title, Explanation: why,
		Edits: []patch.Edit{{File: "index.go", Before: before, After: strings.NewReplacer(pairs...).Replace(before)}}}}
}

func checks(more ...verdict.Check) []verdict.Check {
	list := []verdict.Check{{Name: verdict.Scope, Status: verdict.Pass}, {Name: verdict.Parse, Status: verdict.Pass},
		{Name: verdict.Build, Status: verdict.Pass, Took: 300 * time.Millisecond}, {Name: verdict.Vet, Status: verdict.Pass}}
	return append(list, more...)
}

func rerunPass() verdict.Check {
	return verdict.Check{Name: verdict.Rerun, Status: verdict.Pass, Detail: "the same input ran to the end (exit 0)", Took: 90 * time.Millisecond}
}

func testsPass() verdict.Check {
	return verdict.Check{Name: verdict.Tests, Status: verdict.Pass, Detail: "14 tests in 3 packages", Count: 14}
}

func regressionPass() verdict.Check {
	return verdict.Check{Name: verdict.Regression, Status: verdict.Pass, Detail: "TestBuildIndex fails without it and passes with it: does not panic"}
}

// regressionTest is the test that originFix passes.
func regressionTest() *patch.RegressionTest {
	before := "package main\n\nimport \"testing\"\n\nfunc TestFind(t *testing.T) {\n\tif got := NewIndex(nil).Find(\"go\"); got != nil {\n\t\tt.Errorf(\"got %v\", got)\n\t}\n}\n"
	after := before + "\n// TestBuildIndex calls Build as it was called when it panicked: assignment to\n// entry in nil map.\nfunc TestBuildIndex(t *testing.T) {\n\tx := NewIndex([]Doc{{ID: 0, Text: \"go maps\"}, {ID: 1, Text: \"nil maps\"}})\n\tx.Build()\n}\n"
	return &patch.RegressionTest{Name: "TestBuildIndex", Asserts: "does not panic", Calls: "main, frame 2", Edit: patch.Edit{File: "index_test.go", Before: before, After: after}}
}

func originFix() *session.Proposed {
	return candidate("c1", "create terms in NewIndex", "Index.terms is never made; NewIndex returns &Index{docs: docs}. The map belongs to the constructor, so every caller gets it.",
		builtin(), "&Index{docs: docs}", "&Index{docs: docs, terms: make(map[string][]int)}")
}

func lazyFix() *session.Proposed {
	p := candidate("c2", "make the map on first use", "Add writes to x.terms before anything made it. Making it on the first write keeps the zero Index usable.",
		qwen(), "\tseen := len(x.terms[term])\n", "\tif x.terms == nil {\n\t\tx.terms = make(map[string][]int)\n\t}\n\tseen := len(x.terms[term])\n")
	p.Request = "a2"
	return p
}

func maskingFix() *session.Proposed {
	p := candidate("c3", "return when terms is nil", "Nothing is written while the map is nil. The entry is lost.",
		builtin(), "\tx.terms[term] = append(x.terms[term], doc)\n", "\tif x.terms == nil {\n\t\treturn\n\t}\n\tx.terms[term] = append(x.terms[term], doc)\n")
	return p
}

// sceneStopped is a panic with nothing proposed yet.
func sceneStopped() *fakeEngine {
	f := sceneRunning()
	f.live.Running = time.Time{}
	f.inspect.stacks[1] = panicStack()
	f.inspect.goroutines = goroutines()
	f.inspect.stacks[18] = []debugger.Frame{
		{Index: 0, Function: "runtime.gopark", File: "/usr/local/go/src/runtime/proc.go", Line: 435, Runtime: true},
		{Index: 1, Function: "main.watch", File: filepath.Join(root(), "load.go"), Line: 8, User: true},
	}
	f.add(panicStop(), diagnosed())
	return f
}

// sceneWatched is the panic with two expressions that are watched.
func sceneWatched() *fakeEngine {
	f := sceneStopped()
	f.add(&session.Displayed{List: []session.Display{{ID: 0, Expr: "len(x.docs)"}, {ID: 1, Expr: "x.docs[1].Name"}}})
	return f
}

// scenePanickedAgain is a panic in a deferred call, after one that was recovered.
func scenePanickedAgain() *fakeEngine {
	f := sceneRunning()
	f.inspect.stacks[1], f.inspect.goroutines = panicStack(), goroutines()
	stop := panicStop()
	stop.Stop.Panic.Chain = []debugger.Panic{{Class: debugger.CustomError, Message: "read a.txt: unexpected EOF", Recovered: true}}
	f.add(stop, diagnosed())
	return f
}

// sceneBlock is a panic in a block of work that the program names.
func sceneBlock() *fakeEngine {
	f := sceneRunning()
	f.inspect.stacks[1], f.inspect.goroutines = panicStack(), goroutines()
	stop := panicStop()
	stop.Stop.Block = &debugger.Block{ID: "index/build", Intent: "Collect the terms of all documents"}
	f.add(stop, diagnosed())
	return f
}

// sceneAround is the panic with what is next to its stack.
func sceneAround() *fakeEngine {
	f := sceneStopped()
	in := func(name, file string, line int) debugger.Location {
		return debugger.Location{Function: name, File: filepath.Join(root(), file), Line: line}
	}
	f.inspect.defers = map[int][]debugger.Deferred{
		4: {{Call: in("main.(*Index).Build.func1", "index.go", 25), At: in("main.(*Index).Build", "index.go", 24)}, {Err: "bad \x1b[31maddress"}},
	}
	f.inspect.origin = debugger.Origin{By: 18, At: in("main.watch", "load.go", 8)}
	f.inspect.ancestors = []debugger.Ancestor{
		{ID: 18, Frames: []debugger.Frame{{Function: "main.watch", File: filepath.Join(root(), "load.go"), Line: 8, User: true}}},
		{ID: 1, Frames: []debugger.Frame{{Function: "runtime.newproc", File: "/usr/local/go/src/runtime/proc.go", Line: 5298, Runtime: true},
			{Function: "main.main", File: filepath.Join(root(), "main.go"), Line: 15, User: true}}},
	}
	return f
}

func goroutines() []debugger.Goroutine {
	user := func(name, file string, line int) debugger.Frame {
		return debugger.Frame{Function: name, File: filepath.Join(root(), file), Line: line, User: true}
	}
	list := []debugger.Goroutine{{ID: 1, State: "running", User: user("main.(*Index).Add", "index.go", 43)}}
	for i := range 10 {
		list = append(list, debugger.Goroutine{ID: debugger.GoroutineID(20 + i), State: "waiting", WaitReason: "sleep", User: user("main.worker", "worker.go", 31)})
	}
	list = append(list, debugger.Goroutine{ID: 18, State: "waiting", WaitReason: "chan receive", User: user("main.watch", "load.go", 8)})
	return append(list, debugger.Goroutine{ID: 2, State: "waiting", WaitReason: "force gc (idle)", System: true,
		User: debugger.Frame{Function: "runtime.forcegchelper", File: "/usr/local/go/src/runtime/proc.go", Line: 348}})
}

// sceneRunning is a target that runs and prints.
func sceneRunning() *fakeEngine {
	f := sceneBuilding()
	f.live.Build = nil
	f.add(&session.BuildFinished{Binary: "/tmp/index", Took: 900 * time.Millisecond}, &session.Launched{PID: 4711, Round: 1}, &session.Resumed{Motion: debugger.Continue})
	f.live.Running = f.clock.Add(-3200 * time.Millisecond)
	fmt.Fprintln(f.out, "reading a.txt\nreading b.txt\nreading \x1b[32mc.txt\x1b[0m")
	fmt.Fprintln(f.out, "indexed 3 documents")
	return f
}

// sceneDrawing is a target that draws a screen in a terminal of 60×12 cells.
func sceneDrawing() *fakeEngine {
	f := sceneRunning()
	f.out.Emulate(60, 12, func(string) {})
	fmt.Fprint(f.out, "\x1b[?1049h\x1b[2J\x1b[H\x1b[1;35mPick a fruit\x1b[m\x1b[3;1H  apples\x1b[4;1H\x1b[7m> pears\x1b[m\x1b[5;1H  plums 日本\x1b]8;;http://example.com\x1b\\\x1b[12;1Henter picks, q quits\x1b[4;8H")
	return f
}

func sceneBuilding() *fakeEngine {
	f := newFake()
	f.add(started(), &session.BuildStarted{Reason: "launch"})
	f.live.Build = &build.Progress{Phase: "compiling", Package: "example.com/indexer/internal/tokenizer", Done: 42, Total: 60, Elapsed: 1400 * time.Millisecond}
	f.live.Version = 1
	return f
}

func sceneBroken() *fakeEngine {
	f := sceneBuilding()
	file := filepath.Join(root(), "index.go")
	f.add(&session.BuildFailed{Message: "build \"./cmd/index\": 2 messages of the compiler", Hint: "fix the source, then build again",
		Diagnostics: []build.Diagnostic{
			{File: file, Line: 27, Column: 34, Message: "cannot use i (variable of type int) as string value in argument to x.Add"},
			{File: filepath.Join(root(), "main.go"), Line: 14, Column: 2, Message: "declared and not used: x"},
		}})
	return f
}

// sceneFixes is the panic with candidates in all states.
func sceneFixes() *fakeEngine {
	f := sceneStopped()
	f.add(&session.Asked{Request: "a1", Source: builtin(), Round: 1}, &session.Asked{Request: "a2", Source: qwen(), Round: 1, Prompt: "You fix Go programs.\n\nThe panic: assignment to entry in nil map"},
		&session.Asked{Request: "a3", Source: patch.Source{Provider: "ollama", Model: "gpt-oss:20b"}, Round: 1},
		&session.Asked{Request: "a4", Source: patch.Source{Provider: "ollama", Model: "llama3:8b"}, Round: 1},
		originFix(), maskingFix(), &session.Answered{Request: "a1", Candidates: 2},
		&session.Proved{Candidate: "c1", Verdict: verdict.Verdict{Verified: true, Effect: verdict.Repairs, Checks: checks(rerunPass(), regressionPass(), testsPass()), Test: regressionTest(),
			Evidence: []verdict.Evidence{{Kind: verdict.ByTests, Detail: "TestFind failed without it and passes"}, {Kind: verdict.AtOrigin, Detail: "the statement that failed is unchanged and now runs"}}}},
		lazyFix(), &session.Answered{Request: "a2", Candidates: 1},
		&session.Answered{Request: "a4", Err: "model \"llama3:8b\" not found", Hint: "ollama pull llama3:8b"},
		&session.Proved{Candidate: "c3", Verdict: verdict.Verdict{Effect: verdict.Skips, How: "returns early when x.terms == nil", Masking: true,
			Checks: checks(rerunPass(), verdict.Check{Name: verdict.Masking, Status: verdict.Warn, Detail: "it returns before the write: the entry is lost, and x.terms stays nil"})}})
	for _, c := range checks()[:3] {
		f.add(&session.Checked{Candidate: "c2", Check: c})
	}
	f.live.Proving = map[string]string{"c2": verdict.Vet}
	f.live.Streams = map[string]live.Stream{"a3": {Model: "gpt-oss:20b", Tokens: 212, Since: f.clock}}
	f.live.Version++
	return f
}

// sceneProved is sceneFixes once everything has ended.
func sceneProved() *fakeEngine {
	f := sceneFixes()
	f.add(&session.Proved{Candidate: "c2", Verdict: verdict.Verdict{Verified: true, Effect: verdict.Repairs, Checks: checks(rerunPass(), testsPass())}},
		&session.Answered{Request: "a3", Err: "the answer was cut off", Hint: "ask again, or choose another model"})
	f.live.Proving, f.live.Streams = nil, nil
	return f
}

// sceneBlocked is a candidate that the sandbox left undecided.
func sceneBlocked() *fakeEngine { return sceneBlockedBy(verdict.AllowNetwork) }

func sceneBlockedByFile() *fakeEngine {
	return sceneBlockedBy(verdict.AllowFile+"/home/ann/names", verdict.AllowFiles)
}

func sceneBlockedBy(what ...string) *fakeEngine {
	f := sceneStopped()
	f.add(&session.Asked{Request: "a1", Source: builtin(), Round: 1}, originFix(), &session.Answered{Request: "a1", Candidates: 1},
		&session.Proved{Candidate: "c1", Verdict: verdict.Verdict{Checks: checks(verdict.Check{Name: verdict.Rerun, Status: verdict.Inconclusive,
			Detail: "in the sandbox the unpatched program ended with exit code 1; it needs the network: dial tcp 10.0.0.7:5432: network is unreachable", Blocked: what})}})
	return f
}

// sceneExited is a target that ended by itself.
func sceneExited(code int, signal string) *fakeEngine {
	f := sceneRunning()
	stop := debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{Code: code, Signal: signal}}
	if signal != "" {
		stop.Reason = debugger.ReasonSignal
	}
	f.add(&session.Stopped{Stop: stop, Ran: 4200 * time.Millisecond})
	return f
}

// sceneJudged is an applied candidate that was judged.
func sceneJudged(j session.Judgement) *fakeEngine {
	f := sceneProved()
	f.add(&session.Decided{Candidate: "c1", Decision: session.Approved}, &session.Applying{Candidate: "c1"},
		&session.Applied{Candidate: "c1", Files: []session.FileChange{{File: "index.go"}}}, &session.BuildFinished{Proved: "c1"},
		&session.Launched{PID: 4712, Round: 2}, &session.Resumed{Motion: debugger.Continue})
	if j == session.CameBack {
		f.add(panicStop(), diagnosed(), &session.Judged{Candidate: "c1", Judgement: j, Evidence: "same panic at index.go:43"})
		return f
	}
	fmt.Fprintln(f.out, "3 documents, 9 entries")
	f.add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}}, Ran: 900 * time.Millisecond},
		&session.Judged{Candidate: "c1", Judgement: j, Evidence: "no panic at index.go:43, exit 0"})
	return f
}

// sceneDied is a target that was let go on from its panic.
func sceneDied() *fakeEngine {
	f := sceneStopped()
	f.add(&session.Resumed{Motion: debugger.Continue}, &session.Stopped{Ran: 2 * time.Second,
		Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{Code: 2}}})
	return f
}

// sceneStepped is a stop at a breakpoint.
func sceneStepped() *fakeEngine {
	f := sceneRunning()
	f.inspect.stacks[1] = panicStack()
	f.inspect.goroutines = goroutines()
	f.add(&session.BreakpointSet{Breakpoint: debugger.Breakpoint{ID: 1, File: filepath.Join(root(), "index.go"), Line: 27}},
		&session.Stopped{Ran: time.Second, Stop: debugger.Stop{Reason: debugger.ReasonBreakpoint, Goroutine: 1, Frames: panicStack()[4:], Selected: 0, Goroutines: 13,
			Breakpoint: &debugger.Breakpoint{ID: 1}}})
	return f
}
