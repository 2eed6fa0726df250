package delve

import (
	"bytes"
	"context"
	"reflect"
	"strconv"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// requests reads HTTP requests from the stacks of goroutines that answer them.
type requests struct {
	srv    *control.Server
	memory *memory.Reader
	stacks *stacks.Unwinder
}

// requestType is what handlers and middleware are called with.
const requestType = "*net/http.Request"

const (
	requestFrames = 100     // how far from the panic a request is looked for
	maxBody       = 4 << 10 // bytes: what the server's own buffer holds
)

// requestHolders are expressions for the request in frames of the server
// itself, where the compiler has kept a variable.
var requestHolders = map[string][]string{
	"net/http.(*conn).serve":                                {"inFlightResponse.req", "w.req"},
	"net/http.(*http2serverConn).runHandler.func1":          {"req"},
	"golang.org/x/net/http2.(*serverConn).runHandler.func1": {"req"},
}

// request reads the HTTP request that the stop's goroutine was answering; nil
// where there is none to be found.
func (rq *requests) request(ctx context.Context, stop debugger.Stop) *debugger.Request {
	frames := stop.Frames
	if stop.MoreFrames {
		if all, _, err := stacks.Read(ctx, rq.stacks, int64(stop.Goroutine), debugger.Page{Count: requestFrames}); err == nil {
			frames = all
		}
	}
	var found *debugger.Request
	from := max(stop.Selected, 0)
	for n := range frames {
		i := (from + n) % len(frames) // the server's deferred function comes last
		at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: i}
		for _, expr := range rq.requestsIn(ctx, at, frames[i]) {
			if found == nil {
				found = rq.readRequest(ctx, at, expr)
			}
		}
		if found != nil && frames[i].Function == "net/http.(*conn).serve" {
			rq.readBody(ctx, at, found)
		}
	}
	return found
}

// requestsIn returns expressions for the requests that a frame knows.
func (rq *requests) requestsIn(ctx context.Context, at debugger.FrameRef, f debugger.Frame) []string {
	if !f.User {
		return requestHolders[f.Function]
	}
	args, err := rpc.Call[rpc2.ListFunctionArgsOut](ctx, rq.srv.Client, "ListFunctionArgs", rpc2.ListFunctionArgsIn{Scope: ask.Scope(at), Cfg: api.LoadConfig{}})
	if err != nil {
		return nil
	}
	var found []string
	for i := range args.Args {
		if v := &args.Args[i]; v.Type == requestType && v.Flags&api.VariableShadowed == 0 {
			found = append(found, v.Name)
		}
	}
	return found
}

// readRequest reads the request that an expression points at.
func (rq *requests) readRequest(ctx context.Context, at debugger.FrameRef, expr string) *debugger.Request {
	v, err := ask.Eval(ctx, rq.srv, at, expr, api.LoadConfig{FollowPointers: true, MaxVariableRecurse: 1, MaxStringLen: maxMessage, MaxArrayValues: convert.ArrayLoad, MaxStructFields: -1})
	if err != nil || v.Type != requestType || v.Unreadable != "" || convert.IsNil(v) || convert.Field(v, "RequestURI").Value == "" {
		return nil
	}
	r := &debugger.Request{Method: convert.Field(v, "Method").Value, Scheme: "http", Host: convert.Field(v, "Host").Value, Target: convert.Field(v, "RequestURI").Value, Proto: convert.Field(v, "Proto").Value, Client: convert.Field(v, "RemoteAddr").Value}
	if secured := convert.Field(v, "TLS"); secured.Kind == reflect.Pointer && !convert.IsNil(&secured) {
		r.Scheme = "https"
	}
	if r.Method == "" {
		r.Method = "GET"
	}
	r.Header, r.Whole = rq.readHeader(ctx, at, expr+".Header")
	if length, err := strconv.ParseInt(convert.Field(v, "ContentLength").Value, 10, 64); err != nil || length != 0 {
		r.Whole = false
	}
	return r
}

// readHeader reads a header; whole tells that nothing is missing.
func (rq *requests) readHeader(ctx context.Context, at debugger.FrameRef, expr string) (header map[string][]string, whole bool) {
	v, err := ask.Eval(ctx, rq.srv, at, expr, api.LoadConfig{FollowPointers: true, MaxVariableRecurse: 2, MaxStringLen: maxMessage, MaxArrayValues: convert.ArrayLoad, MaxStructFields: -1})
	if err != nil || v.Kind != reflect.Map {
		return nil, false
	}
	header, whole = map[string][]string{}, v.Len == int64(len(v.Children)/2)
	for i := 0; i+1 < len(v.Children); i += 2 {
		values := v.Children[i+1].Children
		for j := range values {
			header[v.Children[i].Value] = append(header[v.Children[i].Value], values[j].Value)
			whole = whole && int64(len(values[j].Value)) == values[j].Len
		}
		whole = whole && v.Children[i+1].Len == int64(len(values))
	}
	return header, whole
}

// readBody takes the body of a small request from the server's buffer, where it
// stays after it was read, as long as nothing came after it.
func (rq *requests) readBody(ctx context.Context, at debugger.FrameRef, r *debugger.Request) {
	if r.Whole || r.Header == nil {
		return
	}
	length, err := strconv.Atoi(first(r.Header["Content-Length"]))
	if err != nil || length <= 0 || length > maxBody {
		return
	}
	buffer, err := ask.Eval(ctx, rq.srv, at, "c.bufr.buf", api.LoadConfig{MaxArrayValues: 1})
	if err != nil || buffer.Kind != reflect.Slice || buffer.Len <= 0 {
		return
	}
	text, err := memory.Read(ctx, rq.memory, buffer.Base, int(min(buffer.Len, 1000)))
	if err != nil {
		return
	}
	for int64(len(text)) < buffer.Len { // Delve reads 1000 bytes at most
		more, err := memory.Read(ctx, rq.memory, buffer.Base+uint64(len(text)), int(min(buffer.Len-int64(len(text)), 1000)))
		if err != nil {
			return
		}
		text = append(text, more...)
	}
	r.Body, r.Whole = bodyIn(text, []byte(r.Method+" "+r.Target+" HTTP/"), length)
}

// bodyIn finds the body of the last request in text that begins with head.
func bodyIn(text, head []byte, length int) (body []byte, whole bool) {
	at := bytes.LastIndex(text, head)
	if at < 0 {
		return nil, false
	}
	_, rest, ok := bytes.Cut(text[at:], []byte("\r\n\r\n"))
	if !ok || len(rest) < length {
		return nil, false
	}
	return bytes.Clone(rest[:length]), true
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
