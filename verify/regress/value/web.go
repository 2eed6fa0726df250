package value

import (
	"go/types"
	"net/url"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
)

func responseWriter(_ *Reader, _ site, _ debugger.Variable, t types.Type) (*Value, error) {
	return made(t, std("net/http/httptest", "NewRecorder"), "()"), nil
}

// httpRequest makes a request as a server would get it: method, address,
// headers, and the body where it can still be seen.
func httpRequest(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	return request{r, at, v}.value(t)
}

// request reads the parts of an http.Request.
type request struct {
	*Reader
	at site
	v  debugger.Variable
}

func (r request) value(t types.Type) (*Value, error) {
	method, err := r.textField(r.at, r.v, "Method")
	if err != nil {
		return nil, err
	}
	target, err := r.textField(r.at, r.v, "RequestURI")
	if err != nil {
		return nil, err
	}
	if target == "" { // no server got it
		if target, err = r.urlText(); err != nil {
			return nil, err
		}
	}
	body := any("nil")
	if text, ok := r.body(); ok {
		body = Code{std("strings", "NewReader"), "(", Quote(text), ")"}
	}
	code := []any{std("net/http/httptest", "NewRequest"), "(", methodCode(method), ", ", strconv.Quote(target), ", ", body, ")"}
	out := made(t, code...)
	if err := r.addHeaders(out); err != nil {
		return nil, err
	}
	return out, r.addPathValues(out)
}

// urlText is the address of a request.
func (r request) urlText() (string, error) {
	pointer, err := r.field(r.at, r.v, "URL")
	if err != nil || pointer.Nil {
		return "/", err
	}
	targets, err := r.children(r.at, pointer)
	if err != nil || len(targets) != 1 {
		return "", r.at.refuse("is an http.Request whose URL cannot be read")
	}
	var u url.URL
	for name, to := range map[string]*string{"Scheme": &u.Scheme, "Host": &u.Host, "Path": &u.Path, "RawPath": &u.RawPath, "RawQuery": &u.RawQuery} {
		if *to, err = r.textField(r.at, targets[0], name); err != nil {
			return "", err
		}
	}
	return u.String(), nil
}

// methodNames of package net/http.
var methodNames = map[string]string{"GET": "MethodGet", "HEAD": "MethodHead", "POST": "MethodPost", "PUT": "MethodPut",
	"PATCH": "MethodPatch", "DELETE": "MethodDelete", "OPTIONS": "MethodOptions"}

func methodCode(method string) any {
	if name, ok := methodNames[method]; ok {
		return std("net/http", name)
	}
	return strconv.Quote(method)
}

// clientHeaders come from whatever client was used and say nothing.
var clientHeaders = map[string]bool{"User-Agent": true, "Accept-Encoding": true, "Content-Length": true, "Accept": true, "Connection": true}

func (r request) addHeaders(out *Value) error {
	header, err := r.field(r.at, r.v, "Header")
	if err != nil || header.Nil {
		return err
	}
	entries, err := r.children(r.at, header)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Key == nil || clientHeaders[e.Key.Value] {
			continue
		}
		values, err := r.children(r.at, e)
		if err != nil {
			return err
		}
		for _, value := range values {
			text, err := r.text(r.at, value)
			if err != nil {
				return err
			}
			out.After = append(out.After, Code{Self{}, ".Header.Add(", strconv.Quote(e.Key.Value), ", ", strconv.Quote(text), ")"})
		}
	}
	sortCode(out.After)
	return nil
}

// addPathValues repeats what the mux found in the path.
func (r request) addPathValues(out *Value) error {
	matches, err := r.field(r.at, r.v, "matches")
	if err != nil || matches.Nil {
		return nil //nolint:nilerr // an older net/http has none
	}
	found, err := r.children(r.at, matches)
	if err != nil {
		return err
	}
	pattern, err := r.field(r.at, r.v, "pat")
	if err != nil || pattern.Nil {
		return err
	}
	targets, err := r.children(r.at, pattern)
	if err != nil || len(targets) != 1 {
		return err
	}
	names, err := r.wildcards(targets[0])
	if err != nil {
		return err
	}
	for i := range min(len(names), len(found)) {
		text, err := r.text(r.at, found[i])
		if err != nil {
			return err
		}
		out.After = append(out.After, Code{Self{}, ".SetPathValue(", strconv.Quote(names[i]), ", ", strconv.Quote(text), ")"})
	}
	return nil
}

// wildcards are the names in a mux's pattern.
func (r request) wildcards(pattern debugger.Variable) ([]string, error) {
	segments, err := r.field(r.at, pattern, "segments")
	if err != nil {
		return nil, err
	}
	list, err := r.children(r.at, segments)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range list {
		wild, err := r.field(r.at, s, "wild")
		if err != nil {
			return nil, err
		}
		name, err := r.textField(r.at, s, "s")
		if err != nil {
			return nil, err
		}
		if wild.Value == "true" && name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// body finds the body in the connection's buffer, after the headers.
func (r request) body() (string, bool) {
	length, err := r.intField(r.at, r.v, "ContentLength")
	if err != nil || length <= 0 || r.v.Expr == "" {
		return "", false
	}
	reader, err := r.evaluate(r.at, "("+r.v.Expr+").Body.(data).src.(data).R.(data)")
	if err != nil {
		return "", false
	}
	target := reader.Deref()
	held, err := r.bytesField(r.at, target, "buf")
	if err != nil {
		return "", false
	}
	end, err := r.intField(r.at, target, "w")
	if err != nil || end > int64(len(held)) || end < length {
		return "", false
	}
	head, body := held[:end-length], held[end-length:end]
	if len(head) == 0 || len(head) >= 4 && head[len(head)-4:] == "\r\n\r\n" {
		return body, true
	}
	return "", false
}
