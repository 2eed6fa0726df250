package mcp

import (
	"context"
	"errors"
	"io"
	"net"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/pair"
)

// Session is a session of an agent's own: nobody else is in it.
type Session struct {
	Seat *pair.Seat
	// Past lists past sessions, the newest first, as lines.
	Past func(ctx context.Context, query string, limit int) ([]string, error)
	// Approve applies a fix in the name of the person whom the client has asked.
	Approve func(intent.Approve) error
	// End ends the session and waits for that.
	End func() error
}

// Doors are how an agent comes to a session.
type Doors struct {
	// Start starts a session of the agent's own, for a client of a name. It calls leave,
	// which ends the session before, when nothing is wrong with what is to be started.
	Start func(ctx context.Context, s Start, name string, leave func() error) (*Session, error)
	// Dial connects to a session that a person shares with agents.
	Dial func() (net.Conn, error)
}

// Start says what to debug.
type Start struct {
	Mode    string   `json:"mode,omitempty" jsonschema:"debug (when left out): a program of the module; test: the tests of a package; exec: a binary; attach: a process; core: a core dump; trace: what a program printed when it crashed"`
	Package string   `json:"package,omitempty" jsonschema:"debug and test: a directory of the module, as ./cmd/app; the working directory when left out"`
	Args    []string `json:"args,omitempty" jsonschema:"arguments of the program; test: flags of go test, as -run and TestLoad"`
	Break   []string `json:"break,omitempty" jsonschema:"where to stop: main.main, file.go:12, (*T).Method, each optionally with if CONDITION"`
	Binary  string   `json:"binary,omitempty" jsonschema:"exec and core: a file in the module"`
	Core    string   `json:"core,omitempty" jsonschema:"core: the dump, a file in the module"`
	PID     int      `json:"pid,omitempty" jsonschema:"attach: a process that runs a program of the module"`
	Trace   string   `json:"trace,omitempty" jsonschema:"trace: the text"`
	Seconds int      `json:"seconds,omitempty" jsonschema:"how long to wait for a stop; at most 600, 50 when left out"`
}

// ServeClient serves the client that has started this process. It has no session but its
// first, if any, until it starts or joins one.
func ServeClient(ctx context.Context, o Options, d Doors, first *Session, r io.ReadCloser, w io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	f := newFront(o)
	f.doors, f.ctx = d, ctx
	f.addDoors()
	if first != nil {
		f.enter(first)
	}
	stop := context.AfterFunc(ctx, func() { _ = r.Close() })
	defer stop()
	err := f.m.Run(ctx, bounded{&mcp.IOTransport{Reader: r, Writer: w, MaxLineLength: maxMessage}})
	cancel()
	err = errors.Join(err, f.leave())
	f.work.Wait()
	return err
}

// addDoors adds the tools for what session the agent is in.
func (f *front) addDoors() {
	mcp.AddTool(f.m, &mcp.Tool{Name: "start", Annotations: changes(false), InputSchema: schemaOf[Start](), OutputSchema: schemaOf[contextOut](),
		Description: "Starts a debugging session of your own: builds and runs a program of the module, or opens another target. Answers when it stops. A session of your own that is open ends."}, f.start)
	f.m.AddTool(&mcp.Tool{Name: "join", Annotations: changes(false), InputSchema: schemaOf[nothing](), OutputSchema: schemaOf[contextOut](),
		Description: "Joins the session that a person has open in a terminal, once they agree. Tools do this by themselves where there is no other session."}, f.join)
	f.m.AddReceivingMiddleware(f.forward)
}

// enter makes a session of the agent's own the one that tools are about.
func (f *front) enter(s *Session) {
	o := f.opts
	o.Past, o.Approve = s.Past, s.Approve
	ctx, cancel := context.WithCancel(f.ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.session = &server{s.Seat, o, &f.failures}
	f.work.Go(func() { f.announce(ctx, s.Seat) })
	f.end = func() error { cancel(); return s.End() }
}

// leave leaves the session that the agent is in.
func (f *front) leave() error {
	f.mu.Lock()
	end := f.end
	f.session, f.joined, f.end = nil, nil, nil
	f.mu.Unlock()
	if end == nil {
		return nil
	}
	return end()
}

func (f *front) start(ctx context.Context, r *mcp.CallToolRequest, in Start) (*mcp.CallToolResult, contextOut, error) {
	f.coming.Lock()
	defer f.coming.Unlock()
	if err := writesNothing(in.Args, in.Mode == "test"); err != nil {
		return nil, contextOut{}, err
	}
	own, err := f.doors.Start(f.ctx, in, nameOf(r.Session), f.leave)
	if err != nil {
		return nil, contextOut{}, withHint(err)
	}
	f.enter(own)
	s, err := f.current()
	if err != nil {
		return nil, contextOut{}, err
	}
	_, _, err = s.wait(ctx, r, waitIn{Seconds: in.Seconds})
	return nil, s.contextNow(ctx), err
}

func (f *front) join(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	remote, err := f.come(ctx, r)
	if err != nil {
		return failed(withHint(err)), nil
	}
	return remote.CallTool(ctx, &mcp.CallToolParams{Name: "context", Arguments: map[string]any{}})
}

// forward hands what is about a joined session over to that one, which decides what the
// agent may see and do. Who has no session joins the one that there is.
func (f *front) forward(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		switch p := r.GetParams().(type) {
		case *mcp.CallToolParamsRaw:
			if p.Name == "start" || p.Name == "join" || f.inOwn() {
				break
			}
			remote, err := f.come(ctx, r.(*mcp.CallToolRequest))
			if err != nil {
				return failed(withHint(err)), nil
			}
			call := &mcp.CallToolParams{Name: p.Name, Arguments: p.Arguments}
			if token := p.GetProgressToken(); token != nil {
				call.SetProgressToken(token)
			}
			result, err := remote.CallTool(ctx, call)
			if err = f.lost(ctx, remote, err); errors.Is(err, errEnded) {
				return failed(err), nil
			}
			return result, err
		case *mcp.ReadResourceParams:
			if remote := f.elsewhere(); remote != nil {
				result, err := remote.ReadResource(ctx, p)
				return result, f.lost(ctx, remote, err)
			}
		}
		return next(ctx, method, r)
	}
}

// errEnded is returned for a call during which the joined session has ended.
var errEnded = errors.New("the session has ended, or you were removed from it")

// lost is the error of a call to a joined session; errEnded where the connection is lost.
func (f *front) lost(ctx context.Context, remote *mcp.ClientSession, err error) error {
	var answer *jsonrpc.Error
	if err == nil || ctx.Err() != nil || errors.As(err, &answer) {
		return err
	}
	f.forget(remote)
	return errEnded
}

// forget has the agent be in no joined session, if it is in that one.
func (f *front) forget(remote *mcp.ClientSession) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.joined == remote {
		f.joined, f.end = nil, nil
	}
}

// inOwn reports whether the agent has a session of its own.
func (f *front) inOwn() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.session != nil
}

// elsewhere is the joined session; nil without one.
func (f *front) elsewhere() *mcp.ClientSession {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.joined
}

// come joins a session, unless the agent is in it.
func (f *front) come(ctx context.Context, r *mcp.CallToolRequest) (*mcp.ClientSession, error) {
	f.coming.Lock()
	defer f.coming.Unlock()
	if remote := f.elsewhere(); remote != nil {
		return remote, nil
	}
	conn, err := f.doors.Dial()
	if err != nil {
		return nil, errNoSession // which says more
	}
	defer progress(ctx, r, func() string { return "waiting for the person to let you in" })()
	refused := context.AfterFunc(ctx, func() { _ = conn.Close() })
	front := r.Session
	client := mcp.NewClient(&mcp.Implementation{Name: nameOf(front), Version: f.opts.Version}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{},
		ProgressNotificationHandler: func(ctx context.Context, p *mcp.ProgressNotificationClientRequest) {
			_ = front.NotifyProgress(ctx, p.Params)
		},
		ResourceUpdatedHandler: func(ctx context.Context, p *mcp.ResourceUpdatedNotificationRequest) {
			_ = f.m.ResourceUpdated(ctx, p.Params)
		},
	})
	remote, err := client.Connect(f.ctx, &mcp.IOTransport{Reader: conn, Writer: conn, MaxLineLength: maxMessage}, nil)
	if !refused() || err != nil {
		_ = conn.Close()
		return nil, errors.New("the person did not let you in, or their session has ended")
	}
	if err := f.leave(); err != nil { // a session of the agent's own
		return nil, errors.Join(err, remote.Close())
	}
	for _, uri := range []string{logURI, statusURI} {
		_ = remote.Subscribe(f.ctx, &mcp.SubscribeParams{URI: uri}) // without it, nothing is announced
	}
	f.mu.Lock()
	f.joined, f.end = remote, remote.Close
	f.mu.Unlock()
	f.work.Go(func() {
		_ = remote.Wait()
		_ = remote.Close() // which ends its subscriptions
		f.forget(remote)
	})
	return remote, nil
}

// nameOf is what a client calls itself.
func nameOf(s *mcp.ServerSession) string {
	if p := s.InitializeParams(); p != nil && p.ClientInfo != nil && p.ClientInfo.Name != "" {
		return p.ClientInfo.Name
	}
	return "agent"
}
