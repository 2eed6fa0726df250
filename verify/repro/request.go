package repro

import (
	"errors"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Request is an HTTP request as a server received it.
type Request struct {
	Method string
	Scheme string // "http" or "https"
	Host   string // with the port, if it was named
	Target string // what followed the method: "/orders/1003?full=1"
	Proto  string // "HTTP/1.1"; empty where it is not known
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
	line, err := r.curl(false)
	return line, err == nil && !strings.ContainsAny(line, "\r\n")
}

// Replay returns a command that makes the request again, to whatever port
// PortVariable names, and to nothing but this machine: with a proxy, it would go there, and
// what ~/.curlrc says might add to it. The error says why there is none.
func (r Request) Replay() (string, error) {
	return r.curl(true, "--noproxy", "'*'", "--connect-to", `"::127.0.0.1:$`+PortVariable+`"`)
}

// Safe reports whether making the request again changes nothing, as far as HTTP
// promises that.
func (r Request) Safe() bool {
	return r.Method == get || r.Method == head || r.Method == options
}

// curl returns the command. An exact one, for proofs, ignores curl's configuration file and
// sends the client's version of curl.
func (r Request) curl(exact bool, flags ...string) (string, error) {
	switch {
	case r.Host == "" || !strings.HasPrefix(r.Target, "/"):
		return "", errors.New("it has no host, or no path")
	case !r.Whole:
		return "", errors.New("its body is not known to its end")
	case r.Method == head && len(r.Body) > 0:
		return "", errors.New("it is a HEAD with a body, which curl does not send")
	case r.upgrades():
		return "", errors.New("it upgrades its connection, and what came after that is not known")
	}
	protocol, err := r.protocol()
	if err != nil {
		return "", err
	}
	headers, err := r.headers(exact)
	if err != nil {
		return "", err
	}
	words := []string{"curl", "-s"}
	if exact {
		words = []string{"curl", "-q", "-s"} // -q is obeyed as the first one only
	}
	words = slices.Concat(words, flags, protocol, r.address(), r.method(), headers)
	if len(r.Body) > 0 {
		// Not --data-binary, which takes a body that begins with @ for the name of a
		// file: whoever sent the request would choose what is read here.
		words = append(words, "--data-raw", Quote(string(r.Body)))
	}
	line := strings.Join(append(words, Quote(r.Scheme+"://"+r.Host+r.Target)), " ")
	switch {
	case len(line) > maxCurl:
		return "", errors.New("it is too long for a command line")
	case !utf8.ValidString(line):
		return "", errors.New("it is not text")
	case strings.Contains(line, "\x00"):
		return "", errors.New("it has a zero byte")
	}
	return line, nil
}

// upgrades reports whether the client goes on in another protocol. An offer of HTTP/2 is
// none: clients make it with any request.
func (r Request) upgrades() bool {
	return slices.ContainsFunc(r.Header["Upgrade"], func(to string) bool { return !strings.EqualFold(to, "h2c") })
}

// protocol returns the flags for the version of HTTP, where curl would choose another.
func (r Request) protocol() ([]string, error) {
	switch r.Proto + " " + r.Scheme {
	case "HTTP/1.0 http", "HTTP/1.0 https":
		return []string{"--http1.0"}, nil
	case "HTTP/1.1 https":
		return []string{"--http1.1"}, nil
	case "HTTP/2.0 http":
		return []string{"--http2-prior-knowledge"}, nil
	case "HTTP/1.1 http", "HTTP/2.0 https", " http", " https": // not known in old sessions
		return nil, nil
	}
	return nil, errors.New("curl may not speak its protocol: " + r.Proto)
}

// address returns the flags that leave the address as it is.
func (r Request) address() (words []string) {
	if strings.ContainsAny(r.Host+r.Target, "{}[]") {
		words = append(words, "-g") // else curl makes many requests of it
	}
	if r.Scheme == "https" {
		words = append(words, "-k")
	}
	if strings.Contains(r.Target, "/.") || strings.ContainsFunc(r.Target, func(c rune) bool { return c == '#' || c <= ' ' || c > '~' }) {
		words = append(words, "--request-target", Quote(r.Target)) // else curl resolves, cuts or escapes it
	}
	return words
}

func (r Request) method() []string {
	switch {
	case r.Method == head && len(r.Body) == 0:
		return []string{"-I"}
	case len(r.Body) == 0 && r.Method != get, len(r.Body) > 0 && r.Method != post: // with a body, curl would send POST
		return []string{"-X", Quote(r.Method)}
	}
	return nil
}

// Headers that curl sends by itself.
const (
	accept        = "Accept"
	userAgent     = "User-Agent"
	contentType   = "Content-Type" // with a body
	contentLength = "Content-Length"
)

// curlsAgent is what curl calls itself.
var curlsAgent = lazyregexp.New(`^curl/[0-9.]+$`)

// headers returns the words for the client's headers, and those that keep curl from adding
// its own. What curl sends anyway is left out; without exact also the version of another curl.
func (r Request) headers(exact bool) (words []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		values := r.Header[name]
		switch {
		case strings.HasPrefix(name, "@"):
			return nil, errors.New("curl would take a header for a file name")
		case name == contentLength && len(r.Body) > 0,
			name == accept && slices.Equal(values, []string{"*/*"}),
			name == userAgent && !exact && len(values) == 1 && curlsAgent.MatchString(values[0]):
			continue
		}
		for _, value := range values {
			if value == "" {
				words = append(words, "-H", Quote(name+";")) // an empty one, for curl
			} else {
				words = append(words, "-H", Quote(name+": "+value))
			}
		}
	}
	for _, name := range []string{accept, userAgent, contentType} {
		if len(r.Header[name]) == 0 && (name != contentType || len(r.Body) > 0) {
			words = append(words, "-H", Quote(name+":")) // none, for curl
		}
	}
	return words, nil
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
