package repro

import (
	"errors"
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
func (r Request) Curl() (string, bool) {
	line, err := r.curl()
	return line, err == nil && !strings.ContainsAny(line, "\r\n")
}

// Replay returns a command that makes the request again, to whatever port
// PortVariable names, and to nothing but this machine: with a proxy, it would go there. The
// error says why there is none.
func (r Request) Replay() (string, error) {
	return r.curl("--noproxy", "'*'", "--connect-to", `"::127.0.0.1:$`+PortVariable+`"`)
}

// Safe reports whether making the request again changes nothing, as far as HTTP
// promises that.
func (r Request) Safe() bool {
	return r.Method == get || r.Method == head || r.Method == options
}

func (r Request) curl(flags ...string) (string, error) {
	switch {
	case r.Host == "" || !strings.HasPrefix(r.Target, "/"):
		return "", errors.New("it has no host, or no path")
	case !r.Whole:
		return "", errors.New("its body is not known to its end")
	case !utf8.Valid(r.Body):
		return "", errors.New("its body is not text")
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
			return "", errors.New("curl would take a header for a file name")
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
	switch {
	case len(line) > maxCurl:
		return "", errors.New("it is too long for a command line")
	case strings.Contains(line, "\x00"):
		return "", errors.New("it has a zero byte")
	}
	return line, nil
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
