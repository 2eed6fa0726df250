package repro

import (
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"
)

// Request is an HTTP request as a server received it.
type Request struct {
	Method string
	Scheme string // "http" or "https"
	Host   string // with the port, if it was named
	Target string // what followed the method: "/orders/1003?full=1"
	Header map[string][]string
	Body   []byte
	Whole  bool   // headers and body are complete
	Client string // the address it came from
}

// testNet are the addresses that no machine has. One of them is the client of the
// requests that package httptest makes without a network.
var testNet = netip.MustParsePrefix("192.0.2.0/24")

// SentBy reports whether the process, or one below it, has sent the request itself: it
// does so again when it runs again.
func (r Request) SentBy(pid int) bool {
	client, err := netip.ParseAddrPort(r.Client)
	return err == nil && (testNet.Contains(client.Addr()) || connects(pid, int(client.Port())))
}

// own are the headers that curl sends by itself, or that belong to one
// connection.
var own = []string{"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection", "Content-Length", "Transfer-Encoding",
	"Keep-Alive", "Te", "Trailer", "Upgrade", "Expect"}

// Methods, as net/http names them.
const (
	get     = "GET"
	head    = "HEAD"
	options = "OPTIONS"
	post    = "POST"
)

// maxCurl bounds a command line that is offered, in bytes.
const maxCurl = 4 << 10

// Curl returns a command that makes the request again; false where it cannot,
// because the body is not known or something does not fit a command line.
func (r Request) Curl() (string, bool) { return r.curl() }

// Replay returns a command that makes the request again, to whatever port
// PortVariable names, and to nothing but this machine: with a proxy, it would go there.
func (r Request) Replay() (string, bool) {
	return r.curl("--noproxy", "'*'", "--connect-to", `"::127.0.0.1:$`+PortVariable+`"`)
}

// Safe reports whether making the request again changes nothing, as far as HTTP
// promises that.
func (r Request) Safe() bool {
	return r.Method == get || r.Method == head || r.Method == options
}

func (r Request) curl(flags ...string) (string, bool) {
	if r.Host == "" || !strings.HasPrefix(r.Target, "/") || !r.Whole || !utf8.Valid(r.Body) {
		return "", false
	}
	words := append([]string{"curl", "-s"}, flags...)
	if strings.ContainsAny(r.Host+r.Target, "{}[]") {
		words = append(words, "-g") // else curl makes many requests of it
	}
	if r.Scheme == "https" {
		words = append(words, "-k")
	}
	switch {
	case r.Method == head:
		words = append(words, "-I")
	case len(r.Body) == 0 && r.Method != get, len(r.Body) > 0 && r.Method != post: // with a body, curl would send POST
		words = append(words, "-X", Quote(r.Method))
	}
	names := make([]string, 0, len(r.Header))
	for name := range r.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.ContainsFunc(own, func(o string) bool { return strings.EqualFold(o, name) }) {
			continue
		}
		if strings.HasPrefix(name, "@") {
			return "", false // the name of a file, for curl
		}
		for _, value := range r.Header[name] {
			words = append(words, "-H", Quote(name+": "+value))
		}
	}
	if len(r.Body) > 0 {
		// Not --data-binary, which takes a body that begins with @ for the name of a
		// file: whoever sent the request would choose what is read here.
		words = append(words, "--data-raw", Quote(string(r.Body)))
	}
	line := strings.Join(append(words, Quote(r.Scheme+"://"+r.Host+r.Target)), " ")
	return line, len(line) <= maxCurl && !strings.ContainsAny(line, "\x00\r\n")
}

// Quote makes one word of the shell's of a text.
func Quote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
