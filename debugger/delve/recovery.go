package delve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
	"github.com/pausetui/pausetui/internal/advice"
)

// recovery finds the panics that the target lives on after: recovered by servers,
// or only begun.
type recovery struct {
	srv     *control.Server
	config  *Config
	sources *source.Finder
	places  *places.Locator
	stacks  *stacks.Unwinder
	panics  *panics

	passed     map[debugger.GoroutineID]bool // whose panic was not shown when it began
	shown      map[debugger.GoroutineID]bool // whose panic was shown when it began, in a mode that shows some
	inVain     int                           // panics at whose beginning the program was held, and that were not shown
	recovering map[string]bool               // functions that recover, with the package of whose functions
	deferring  map[string]bool               // functions that defer
}

// middleware are the functions of servers and of recovery middleware that recover
// a handler's panic so that they can serve the next request, and of Bubble Tea, which
// recovers a model's so that it can restore the terminal: patterns of names,
// without the deferred function in them. A breakpoint after their call of recover
// is passed only when there was something to recover: it costs nothing before.
// Between package and function are the names of those it is inlined into.
var middleware = []string{
	`net/http\.\(\*conn\)\.serve`,
	`net/http\.\(\*timeoutHandler\)\.ServeHTTP`,
	`net/http\.\(\*http2serverConn\)\.runHandler`,
	`(golang\.org/x/net|net/http/internal)/http2\.\(\*serverConn\)\.runHandler`,
	`github\.com/gin-gonic/gin\.(\w+\.)*CustomRecoveryWithWriter`,
	`github\.com/go-chi/chi(/v\d+)?/middleware\.(\w+\.)*Recoverer`,
	`github\.com/labstack/echo(/v\d+)?/middleware\.(\w+\.)*(RecoverWithConfig|RecoverConfig\.ToMiddleware)`,
	`github\.com/gofiber/fiber(/v\d+)?/middleware/recover\.(\w+\.)*New`,
	`github\.com/gorilla/handlers\.\(?\*?recoveryHandler\)?\.ServeHTTP`,
	`github\.com/go-kratos/kratos(/v\d+)?/middleware/recovery\.(\w+\.)*Recovery`,
	`github\.com/cloudwego/hertz/pkg/app/middlewares/server/recovery\.(\w+\.)*Recovery`,
	`github\.com/urfave/negroni(/v\d+)?\.\(\*Recovery\)\.ServeHTTP`,
	`(connectrpc\.com/connect|github\.com/bufbuild/connect-go)\.\(\*recoverHandlerInterceptor\)\.Wrap(Unary|StreamingHandler)`,
	`github\.com/grpc-ecosystem/go-grpc-middleware(/v\d+)?/(interceptors/)?recovery\.(\w+\.)*(Unary|Stream)ServerInterceptor`,
	`(charm\.land|github\.com/charmbracelet)/bubbletea(/v\d+)?\.\(\*Program\)\.(Run|handleCommands|execBatchMsg|execSequenceMsg)`,
}

// recoverers are functions of such libraries that are deferred themselves.
var recoverers = []string{
	`(charm\.land|github\.com/charmbracelet)/bubbletea(/v\d+)?\.\(\*Program\)\.recoverFromPanic`, // before 1.3.5
}

// repanicker passes a panic of another goroutine on, whose stack is gone then.
const repanicker = "net/http.(*timeoutHandler).ServeHTTP"

// watchMiddleware sets the breakpoints of debugger.PanicsAuto.
func (rec *recovery) watchMiddleware(ctx context.Context) error {
	names := `^(` + strings.Join(middleware, "|") + `)\.[a-zA-Z0-9.]+$|^(` + strings.Join(recoverers, "|") + `)$`
	found, err := rpc.Call[rpc2.FindLocationOut](ctx, rec.srv.Client, "FindLocation", rpc2.FindLocationIn{
		Scope: api.EvalScope{GoroutineID: -1}, Loc: "/" + strings.ReplaceAll(names, "/", `\/`) + "/",
	})
	if errors.Is(err, rpc.ErrNoLocation) { // it is no server
		return nil
	}
	if err != nil {
		return err
	}
	for i, f := range found.Locations {
		place, ok, err := rec.afterRecover(ctx, f.PC)
		if err != nil {
			return advice.Add(fmt.Errorf("look into %s: %w", f.Function.Name(), err), withoutServers)
		}
		if !ok {
			continue
		}
		place.Name = fmt.Sprintf("%s%d", recoveredName, i)
		if err := rec.breakAfter(ctx, place); err != nil && !taken(err) {
			return advice.Add(fmt.Errorf("break in %s: %w", f.Function.Name(), err), withoutServers)
		}
	}
	return nil
}

// withoutServers is what helps where a server cannot be watched.
const withoutServers = "--panics unrecovered does not stop at what servers recover"

// taken reports whether a breakpoint is there already: a line serves all copies of
// a function that the compiler has made, and other clients may have set it.
func taken(err error) bool {
	return errors.Is(err, rpc.ErrBreakExists) || errors.Is(err, rpc.ErrNameExists) || errors.Is(err, ask.ErrOthers) || errors.Is(err, ask.ErrReserved)
}

// breakAfter sets a breakpoint on a line, or on its address where the target
// was stripped, so that Delve finds no lines.
func (rec *recovery) breakAfter(ctx context.Context, place api.Breakpoint) error {
	line, addr := place, place
	line.Addr, addr.File, addr.Line = 0, "", 0
	if rec.srv.Mode == control.Connected { // what others have set there is not ours to add to
		if err := ask.Spare(ctx, rec.srv, &line, nil); err != nil {
			return err
		}
	}
	_, err := rpc.Call[rpc2.CreateBreakpointOut](ctx, rec.srv.Client, "CreateBreakpoint", rpc2.CreateBreakpointIn{Breakpoint: line})
	if addr.Addr != 0 && errors.Is(err, rpc.ErrStripped) {
		_, err = rpc.Call[rpc2.CreateBreakpointOut](ctx, rec.srv.Client, "CreateBreakpoint", rpc2.CreateBreakpointIn{Breakpoint: addr})
	}
	return err
}

// afterRecover finds the line that a function comes to when its recover has
// returned a value, with its address: the one after that of the call, which is in
// a condition's body or after the end of the call's own statement. false: the function does
// not recover.
func (rec *recovery) afterRecover(ctx context.Context, pc uint64) (api.Breakpoint, bool, error) {
	code, err := rpc.Call[rpc2.DisassembleOut](ctx, rec.srv.Client, "Disassemble", rpc2.DisassembleIn{
		Scope: api.EvalScope{GoroutineID: -1}, StartPC: pc, Flavour: api.GoFlavour,
	})
	if err != nil {
		return api.Breakpoint{}, false, err
	}
	file, line, next := "", 0, 0
	var recovers, after uint64 // addresses of the call and of the line after it
	for _, in := range code.Disassemble {
		if in.DestLoc != nil && in.DestLoc.Function != nil && in.DestLoc.Function.Name() == "runtime.gorecover" {
			file, line, recovers = in.Loc.File, in.Loc.Line, in.Loc.PC
		}
	}
	for _, in := range code.Disassemble {
		if in.Loc.File == file && in.Loc.Line > line && (next == 0 || in.Loc.Line < next) {
			next = in.Loc.Line
		}
	}
	for _, in := range code.Disassemble {
		if in.Loc.Line == next && in.Loc.PC > recovers && (after == 0 || in.Loc.PC < after) {
			after = in.Loc.PC
		}
	}
	return api.Breakpoint{File: file, Line: next, Addr: after}, line > 0 && next > 0, nil
}

// sift returns the goroutines of threads that stopped after a server's recover
// and have a panic to show.
func (rec *recovery) sift(ctx context.Context, state *api.DebuggerState) []waiting {
	var found []waiting
	for _, thread := range state.Threads {
		if thread.Breakpoint == nil || !strings.HasPrefix(thread.Breakpoint.Name, recoveredName) {
			continue
		}
		g := debugger.GoroutineID(thread.GoroutineID)
		if rec.shown[g] {
			delete(rec.shown, g)
			continue
		}
		switch rec.weigh(ctx, g) {
		case recovered:
			found = append(found, waiting{goroutine: g})
		case noPanic:
			rec.misplaced(ctx, thread.Breakpoint)
		}
	}
	return found
}

// catch is what was found after a server's recover.
type catch int

const (
	recovered catch = iota
	meant           // the handler's way of ending the request, or a panic that was shown already
	noPanic         // the breakpoint is not where it should be
)

func (rec *recovery) weigh(ctx context.Context, g debugger.GoroutineID) catch {
	at := debugger.FrameRef{Goroutine: g}
	links, err := rec.panics.links(ctx, at)
	switch {
	case err != nil:
		return meant
	case len(links) == 0 || !links[0].recovered:
		return noPanic
	case rec.aborts(ctx, at, &links[0].arg):
		return meant
	}
	frames, _, err := stacks.Read(ctx, rec.stacks, int64(g), debugger.Page{})
	if err == nil && passesPanicOn(frames) {
		return meant
	}
	return recovered
}

// aborts reports whether a value is net/http.ErrAbortHandler.
func (rec *recovery) aborts(ctx context.Context, at debugger.FrameRef, arg *api.Variable) bool {
	if len(arg.Children) == 0 || arg.Children[0].Type != "*errors.errorString" || len(arg.Children[0].Children) == 0 {
		return false
	}
	abort, err := ask.Eval(ctx, rec.srv, at, `"net/http".ErrAbortHandler.(data)`, convert.FrameLoad)
	return err == nil && len(abort.Children) > 0 && abort.Children[0].Addr == arg.Children[0].Children[0].Addr
}

// passesPanicOn reports whether the newest panic began in the repanicker.
func passesPanicOn(frames []debugger.Frame) bool {
	for i, f := range frames {
		if f.Function == panicFunction {
			return i+1 < len(frames) && frames[i+1].Function == repanicker
		}
	}
	return false
}

// misplaced removes a breakpoint that is passed without a panic: it would slow
// each request down.
func (rec *recovery) misplaced(ctx context.Context, b *api.Breakpoint) {
	_, _ = rpc.Call[rpc2.ClearBreakpointOut](ctx, rec.srv.Client, "ClearBreakpoint", rpc2.ClearBreakpointIn{Id: b.ID}) // it may be gone already
}
