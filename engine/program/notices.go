package program

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/session"
)

// SayWhat reports what is special about a target that was not built here and, on
// its first launch, why there are no fixes.
func (pg *Program) SayWhat(found look.Target, first bool) {
	t, ok := found.(*delve.Target)
	switch {
	case pg.Opts.Target.Mode.Builds(), pg.Opts.Target.Mode.Kind == session.ModePast:
		return
	case !ok:
		pg.sayTrace()
		return
	}
	if t.Bare() {
		pg.Notice("warn", "the program has no debug information (-ldflags=-s or -w): there are no variables, and stacks are guessed", "build it without these flags")
	}
	if why := pg.Own.Info.NoLines; why != nil && first {
		pg.Notice("warn", "the program's line table is not read: "+why.Error(), "functions and files are found by the source alone")
	}
	if t.LeavesNothing() {
		pg.Notice("warn", "this server serves one client: when pausetui leaves, it ends, and its program with it", "start it with --accept-multiclient")
	}
	if pg.Own.Pkg == "" && first {
		pg.Notice("info", "no fixes: "+pg.Own.why, "")
	}
	if open(pg.Opts.Target.Mode.Addr) {
		pg.Notice("warn", "the server is on the network, and has no authentication: every client that reaches its port can run anything there",
			"have it listen on localhost, and reach it through ssh -L")
	}
	pg.sayAge(t)
}

// open reports whether an address is on another machine.
func open(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || host == "" || host == "localhost" || strings.HasPrefix(addr, "unix:") {
		return false
	}
	ip := net.ParseIP(host)
	return ip == nil || !ip.IsLoopback()
}

// sayAge warns once of source that is newer than the program.
func (pg *Program) sayAge(t look.Target) {
	built := pg.Own.Info.Modified
	if built.IsZero() || pg.Opts.Target.Mode.Builds() || pg.saidAge {
		return
	}
	pg.saidAge = true
	ws := pg.Workspace
	pg.Job(func() {
		files, err := t.Sources(pg.Ctx, "")
		if err != nil {
			return
		}
		newest, count := "", 0
		var at time.Time
		for _, f := range files {
			info, err := os.Stat(f)
			if err != nil || !ws.Owns(f) || !info.ModTime().After(built) {
				continue
			}
			if count++; info.ModTime().After(at) {
				newest, at = f, info.ModTime()
			}
		}
		if count == 0 {
			return
		}
		text := ws.Rel(newest) + " is newer than the program"
		if count > 1 {
			text = fmt.Sprintf("%d files are newer than the program, %s the newest", count, ws.Rel(newest))
		}
		pg.Post(func() { pg.Notice("warn", text+": lines and values may not fit", "build it again from this source") })
	})
}

// sayTrace reports what is special about a trace.
func (pg *Program) sayTrace() {
	t := pg.Own.Trace
	if where := pg.Opts.Target.Mode.Trace; where != nil && where.Times > 1 {
		pg.Notice("info", fmt.Sprintf("the log holds this crash %d times; this is the newest", where.Times), "")
	}
	if pg.SourceFixed() {
		pg.Notice("info", "a fix of this session is applied: the trace is of the source before it", "u takes it back")
	}
	switch {
	case t.Truncated && t.Died():
		pg.Notice("warn", "the beginning or the end of the trace is missing", "")
	case !t.Died():
		pg.Notice("info", "the trace is not of a crash: it shows where goroutines were", "")
	}
	if t.Left > 0 {
		pg.Notice("warn", fmt.Sprintf("%d further goroutines of the trace were left out", t.Left), "")
	}
	const most = 3
	missing := slices.DeleteFunc(t.Missing(), func(m string) bool { return m == pg.Own.why })
	for _, m := range missing[:min(len(missing), most)] {
		pg.Notice("warn", m, "")
	}
	if n := len(missing) - most; n > 0 {
		pg.Notice("warn", fmt.Sprintf("%d more lines of the trace have changed, or are gone", n), "check out the version that made the trace")
	}
	if pg.Own.Pkg == "" {
		pg.Notice("info", "no fixes: "+pg.Own.why, pg.Own.hint)
	}
}

// SourceFixed reports whether the source is newer than the trace: a
// fix was applied in an earlier run of the session. Nothing can be proposed then.
func (pg *Program) SourceFixed() bool {
	_, applied := pg.State().Undoable()
	return applied && pg.Opts.Target.Mode.Kind == session.ModeTrace
}

// SayOptimized says once, of the program or of a library's package, that it was
// compiled with optimization, which explains what is missing.
func (pg *Program) SayOptimized(stop debugger.Stop) {
	f, ok := stop.SelectedFrame()
	if !ok || !f.Optimized || f.Runtime {
		return
	}
	what, words, hint := "the program", "the program was built with optimizations: variables may be missing, and lines may run in another order",
		"build it with -gcflags='all=-N -l' to see everything"
	if pg.Opts.Target.Mode.Builds() {
		what = debugger.PackageOf(f.Function)
		words, hint = what+" is compiled with optimization: variables may be missing, and its functions cannot be called", ":rebuild -deps "+what+" compiles it without"
	} else if !f.User {
		return
	}
	if !pg.saidOpt[what] {
		pg.saidOpt[what] = true
		pg.Notice("info", words, hint)
	}
}

// SayPanicking says, at a stop in a deferred function that a panic runs, where that panic
// began: nothing else at the stop tells that the program is on its way out.
func (pg *Program) SayPanicking(stop debugger.Stop) {
	i := slices.IndexFunc(stop.Frames, func(f debugger.Frame) bool { return f.Function == "runtime.gopanic" })
	if stop.Crashed() || i < 0 {
		pg.saidPanicking = ""
		return
	}
	own := slices.IndexFunc(stop.Frames[i:], func(f debugger.Frame) bool { return f.User })
	if own < 0 {
		return
	}
	f := stop.Frames[i+own]
	at := fmt.Sprintf("%s (%s:%d)", debugger.ShortFunction(f.Function), pg.Workspace.Rel(f.File), f.Line)
	if pg.saidPanicking != at {
		pg.saidPanicking = at
		pg.Notice("info", "a panic in "+at+" is running this deferred function", "")
	}
}

// exitPlace is where a program ended itself with a failure.
func exitPlace(stop debugger.Stop) *debugger.ExitPlace {
	if stop.Exit == nil || stop.Exit.Code <= 0 {
		return nil
	}
	return stop.Exit.At
}

// sayExit says where the program ended itself, and how to stop there.
func (pg *Program) sayExit(at debugger.ExitPlace) {
	place := fmt.Sprintf("%s:%d", pg.Workspace.Rel(at.File), at.Line)
	pg.Notice("info", fmt.Sprintf("%s called %s: %s", at.Function, at.Call, place), "break "+place+" stops there when it is started again")
}

// SayRecovers reports, when a target has ended without a stop, that it may have
// recovered a panic itself: it printed the stack of one, or it failed.
func (pg *Program) SayRecovers(stop debugger.Stop, printed string) {
	if at := exitPlace(stop); at != nil && !at.Panicking {
		pg.sayExit(*at)
		return
	}
	if stop.Exit == nil || pg.Opts.Target.Panics != debugger.PanicsAuto || pg.State().CaseIndex() >= 0 {
		return
	}
	logged := crash.ParseAll([]byte(printed))
	if i := slices.IndexFunc(logged, func(c crash.Crash) bool { return c.Recovered }); i >= 0 {
		where := ""
		if f, ok := logged[i].Culprit(func(f debugger.Frame) bool { return pg.Workspace.Owns(f.File) }); ok {
			where = fmt.Sprintf(" at %s:%d", pg.Workspace.Rel(f.File), f.Line)
		}
		pg.Notice("info", "the output shows a panic"+where+" that was recovered", "--panics all stops at panics that are recovered too")
		return
	}
	if stop.Exit.Code <= 0 {
		return
	}
	if places := pg.State().Started.Workspace.Recovers(4); len(places) > 0 {
		pg.Notice("info", "a panic may have been recovered: the program calls recover at "+strings.Join(places, ", "),
			"--panics all stops at panics that are recovered too")
	}
}
