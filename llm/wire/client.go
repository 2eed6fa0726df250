// Package wire has what the providers over HTTP share: a client that leaves no connection
// open, bounds on what is read, a timeout for silence, and the texts of errors. It must
// not know any provider.
package wire

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Client returns a copy of c, or without one a client that leaves no connection
// open between requests. Its transport is given to wrap, which may bound what
// is read.
func Client(c *http.Client, wrap func(http.RoundTripper) http.RoundTripper) *http.Client {
	client := http.Client{}
	if c != nil {
		client = *c
	} else {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.DisableKeepAlives = true
		client.Transport = transport
	}
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	client.Transport = wrap(client.Transport)
	if client.CheckRedirect == nil {
		client.CheckRedirect = sameHost
	}
	return &client
}

// ErrRedirect is returned when a server sends a request on to another machine:
// what may go to the one need not go to the other. ErrPrompt is when it sends
// what the request carries on at all: to another port of a machine, maybe by
// another address of the same name, where something else listens.
var (
	ErrRedirect = errors.New("the server redirects the request to another machine")
	ErrPrompt   = errors.New("the server redirects a prompt to another address")
)

// maxRedirects bounds how often a request is sent on.
const maxRedirects = 5

func sameHost(r *http.Request, via []*http.Request) error {
	from, to := via[0].URL.Hostname(), r.URL.Hostname()
	switch {
	case len(via) > maxRedirects:
		return errors.New("the server redirects the request in a loop")
	case via[0].Method != http.MethodGet && via[0].Method != http.MethodHead:
		return fmt.Errorf("%w, %q", ErrPrompt, Clean(r.URL.Host))
	case strings.EqualFold(from, to), Loopback(from) && Loopback(to):
		return nil
	}
	return fmt.Errorf("%w, %q", ErrRedirect, Clean(to))
}

// RoundTripper is a function that sends a request.
type RoundTripper func(*http.Request) (*http.Response, error)

// RoundTrip sends the request.
func (f RoundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// ErrBody is returned when a server sends more than can be an answer.
var ErrBody = errors.New("the server's answer is too large")

// Bounded fails reads with ErrBody once more than so many bytes have come.
func Bounded(body io.ReadCloser, bytes int64) io.ReadCloser {
	return &boundedBody{body, bytes}
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

// Read reads until the bound is passed.
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, ErrBody
	}
	return n, err
}

// Loopback reports whether a host is this machine.
func Loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// RetryAfter reads the header of that name: seconds, or a date. It is 0 when
// the server does not say.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}
