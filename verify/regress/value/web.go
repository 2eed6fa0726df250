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
	method, err := r.textField(at, v, "Method")
	if err != nil {
		return nil, err
	}
	target, err := r.textField(at, v, "RequestURI")
	if err != nil {
		return nil, err
	}
	if target == "" { // no server got it
		if target, err = r.urlText(at, v); err != nil {
			return nil, err
		}
	}
	body := any("nil")
	if text, ok := r.requestBody(at, v); ok {
		body = Code{std("strings", "NewReader"), "(", Quote(text), ")"}
	}
	code := []any{std("net/http/httptest", "NewRequest"), "(", methodCode(method), ", ", strconv.Quote(target), ", ", body, ")"}
	out := made(t, code...)
	if err := r.requestHeaders(at, v, out); err != nil {
		return nil, err
	}
	return out, r.pathValues(at, v, out)
}

// urlText is the address of a request.
func (r *Reader) urlText(at site, v debugger.Variable) (string, error) {
	pointer, err := r.field(at, v, "URL")
	if err != nil || pointer.Nil {
		return "/", err
	}
	targets, err := r.children(at, pointer)
	if err != nil || len(targets) != 1 {
		return "", at.refuse("is an http.Request whose URL cannot be read")
	}
	var u url.URL
	for name, to := range map[string]*string{"Scheme": &u.Scheme, "Host": &u.Host, "Path": &u.Path, "RawPath": &u.RawPath, "RawQuery": &u.RawQuery} {
		if *to, err = r.textField(at, targets[0], name); err != nil {
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

func (r *Reader) requestHeaders(at site, v debugger.Variable, out *Value) error {
	header, err := r.field(at, v, "Header")
	if err != nil || header.Nil {
		return err
	}
	entries, err := r.children(at, header)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Key == nil || clientHeaders[e.Key.Value] {
			continue
		}
		values, err := r.children(at, e)
		if err != nil {
			return err
		}
		for _, value := range values {
			text, err := r.text(at, value)
			if err != nil {
				return err
			}
			out.After = append(out.After, Code{Self{}, ".Header.Add(", strconv.Quote(e.Key.Value), ", ", strconv.Quote(text), ")"})
		}
	}
	sortCode(out.After)
	return nil
}

// pathValues repeats what the mux found in the path.
func (r *Reader) pathValues(at site, v debugger.Variable, out *Value) error {
	matches, err := r.field(at, v, "matches")
	if err != nil || matches.Nil {
		return nil //nolint:nilerr // an older net/http has none
	}
	found, err := r.children(at, matches)
	if err != nil {
		return err
	}
	pattern, err := r.field(at, v, "pat")
	if err != nil || pattern.Nil {
		return err
	}
	targets, err := r.children(at, pattern)
	if err != nil || len(targets) != 1 {
		return err
	}
	names, err := r.wildcards(at, targets[0])
	if err != nil {
		return err
	}
	for i := range min(len(names), len(found)) {
		text, err := r.text(at, found[i])
		if err != nil {
			return err
		}
		out.After = append(out.After, Code{Self{}, ".SetPathValue(", strconv.Quote(names[i]), ", ", strconv.Quote(text), ")"})
	}
	return nil
}

// wildcards are the names in a mux's pattern.
func (r *Reader) wildcards(at site, pattern debugger.Variable) ([]string, error) {
	segments, err := r.field(at, pattern, "segments")
	if err != nil {
		return nil, err
	}
	list, err := r.children(at, segments)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range list {
		wild, err := r.field(at, s, "wild")
		if err != nil {
			return nil, err
		}
		name, err := r.textField(at, s, "s")
		if err != nil {
			return nil, err
		}
		if wild.Value == "true" && name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// requestBody finds the body in the connection's buffer, after the headers.
func (r *Reader) requestBody(at site, v debugger.Variable) (string, bool) {
	length, err := r.intField(at, v, "ContentLength")
	if err != nil || length <= 0 || v.Expr == "" {
		return "", false
	}
	reader, err := r.evaluate(at, "("+v.Expr+").Body.(data).src.(data).R.(data)")
	if err != nil {
		return "", false
	}
	target := reader.Deref()
	held, err := r.bytesField(at, target, "buf")
	if err != nil {
		return "", false
	}
	end, err := r.intField(at, target, "w")
	if err != nil || end > int64(len(held)) || end < length {
		return "", false
	}
	head, body := held[:end-length], held[end-length:end]
	if len(head) == 0 || len(head) >= 4 && head[len(head)-4:] == "\r\n\r\n" {
		return body, true
	}
	return "", false
}
