package repro

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/reexec"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}

func TestPortsAreThoseThatThisProcessListensOn(t *testing.T) {
	if !Listens {
		t.Skip("only Linux tells")
	}
	for _, network := range []string{"tcp4", "tcp6"} {
		l, err := net.Listen(network, "localhost:0")
		if err != nil {
			t.Logf("%s: %v", network, err)
			continue
		}
		port := l.Addr().(*net.TCPAddr).Port
		if ports := Ports(os.Getpid()); !slices.Contains(ports, port) {
			t.Errorf("%s: port %d is not in %v", network, port, ports)
		}
		_ = l.Close()
		if ports := Ports(os.Getpid()); slices.Contains(ports, port) {
			t.Errorf("%s: closed port %d is in %v", network, port, ports)
		}
	}
	if ports := Ports(1 << 30); len(ports) > 0 {
		t.Errorf("no process listens on %v", ports)
	}
}

func TestARequestThatTheProgramSentItself(t *testing.T) {
	if !Listens {
		t.Skip("only Linux tells")
	}
	clients := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		clients <- r.RemoteAddr
		sent := Request{Client: r.RemoteAddr}
		if !sent.SentBy(os.Getpid()) {
			t.Errorf("%s is an address of this process", r.RemoteAddr)
		}
		if sent.SentBy(1 << 30) {
			t.Errorf("%s is no address of another process", r.RemoteAddr)
		}
	}))
	defer server.Close()
	response, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	<-clients
	for client, want := range map[string]bool{httptest.NewRequest(http.MethodGet, "/", nil).RemoteAddr: true, "127.0.0.1:1": false, "@": false, "": false} {
		if (Request{Client: client}).SentBy(os.Getpid()) != want {
			t.Errorf("sent from %q: %v", client, !want)
		}
	}
}

func TestAGateWaitsForThePortThatTheCommandNames(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, c := range []struct {
		command string
		ports   []int
		after   time.Duration
		want    bool
	}{
		{"client", nil, time.Hour, false},
		{"client", []int{80}, 0, true},
		{"curl localhost:8080/x", []int{8080, 9090}, 0, true},
		{"curl localhost:8080/x", []int{9090}, 0, false},
		{"curl localhost:8080/x", []int{9090}, patience, true},
		{"curl 'http://[::1]:8080/x' :70000", []int{8080}, 0, true},
	} {
		g := NewGate(Plan{Command: c.command})
		_, _ = g.Open(now, c.ports)
		if port, got := g.Open(now.Add(c.after), c.ports); got != c.want || got && port != c.ports[0] {
			t.Errorf("%q with %v after %v: %d, %v", c.command, c.ports, c.after, port, got)
		}
	}
	if port, open := NewGate(Plan{Command: "curl localhost:8080/x", AnyPort: true}).Open(now, []int{9090}); !open || port != 9090 {
		t.Errorf("any port: %d, %v", port, open)
	}
}

func TestAWatcherFindsATextInPieces(t *testing.T) {
	w := NewWatcher("ready to serve")
	for _, piece := range []string{"rea", "ready to", " ser", "vi", "ready to s", "erve"} {
		select {
		case <-w.Seen():
			t.Fatalf("seen before %q", piece)
		default:
		}
		if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	select {
	case <-w.Seen():
	default:
		t.Error("not seen")
	}
	_, _ = w.Write([]byte("ready to serve"))
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	r, err := Run(t.Context(), "pwd; echo $WHO >&2; exit 3", dir, append(os.Environ(), "WHO=me"))
	if err != nil || r.Exit != 3 || string(r.Output) != dir+"\nme\n" {
		t.Errorf("%+v %q, %v", r, r.Output, err)
	}
	r, err = Run(t.Context(), "kill -9 $$", dir, nil)
	if err != nil || r.Exit != -1 || !strings.Contains(r.Signal, "kill") {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Run(t.Context(), "yes | head -c 200000", dir, nil)
	if err != nil || len(r.Output) != MaxOutput || r.Dropped != 200000-MaxOutput {
		t.Errorf("%d bytes kept, %d dropped, %v", len(r.Output), r.Dropped, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, "sleep 1000 & sleep 1000", dir, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestAReplayGoesToThePortThatIsNamed(t *testing.T) {
	r := Request{Method: "GET", Scheme: "http", Host: "shop.example", Target: "/x", Header: ofCurl, Whole: true}
	if line, err := r.Replay(); err != nil || line != `curl -q -s --noproxy '*' --connect-to "::127.0.0.1:$PAUSETUI_PORT" -H 'User-Agent: curl/8.5.0' http://shop.example/x` || !r.Safe() {
		t.Errorf("%q, %v", line, err)
	}
}

// ofCurl is what curl sends by itself.
var ofCurl = http.Header{"User-Agent": {"curl/8.5.0"}, "Accept": {"*/*"}}

// with returns a header with more in it.
func with(h http.Header, more ...string) http.Header {
	h = h.Clone()
	for i := 0; i < len(more); i += 2 {
		h.Add(more[i], more[i+1])
	}
	return h
}

func TestCurl(t *testing.T) {
	for _, c := range []struct {
		request Request
		want    string
		ok      bool
	}{
		{Request{Method: "GET", Scheme: "http", Host: "127.0.0.1:8080", Target: "/orders/1003/invoice", Whole: true, Header: ofCurl},
			"curl -s http://127.0.0.1:8080/orders/1003/invoice", true},
		{Request{Method: "GET", Scheme: "http", Host: "h:1", Target: "/x", Whole: true, Header: http.Header{"Accept": {"text/csv"}, "User-Agent": {"curl/8.5.0 bot"}}},
			"curl -s -H 'Accept: text/csv' -H 'User-Agent: curl/8.5.0 bot' http://h:1/x", true},
		{Request{Method: "GET", Scheme: "http", Host: "h:1", Target: "/x", Whole: true, Header: http.Header{"Accept-Encoding": {"gzip"}}},
			"curl -s -H 'Accept-Encoding: gzip' -H Accept: -H User-Agent: http://h:1/x", true},
		{Request{Method: "POST", Scheme: "https", Host: "localhost", Target: "/a?b=1&c", Header: with(ofCurl, "Content-Type", "application/json", "Cookie", "a=b; c=it's"), Body: []byte(`{"x":"it's"}`), Whole: true},
			`curl -s -k -H 'Content-Type: application/json' -H 'Cookie: a=b; c=it'\''s' --data-raw '{"x":"it'\''s"}' 'https://localhost/a?b=1&c'`, true},
		{Request{Method: "DELETE", Scheme: "http", Host: "h:1", Target: "/x", Header: ofCurl, Whole: true}, "curl -s -X DELETE http://h:1/x", true},
		{Request{Method: "POST", Scheme: "http", Host: "h:1", Target: "/x", Header: ofCurl, Whole: true}, "curl -s -X POST http://h:1/x", true},
		{Request{Method: "PUT", Scheme: "http", Host: "h:1", Target: "/x", Body: []byte("half")}, "", false},
		{Request{Method: "GET", Scheme: "http", Host: "h:1", Target: "*", Whole: true}, "", false},
		{Request{Method: "GET", Scheme: "http", Host: "h:1", Target: "/" + strings.Repeat("x", maxCurl), Whole: true}, "", false},
		{Request{Method: "GET", Scheme: "http", Host: "h:1", Target: "/x", Header: http.Header{"X-A": {"\xff"}}, Whole: true}, "", false},
		{Request{Method: "GET", Scheme: "http", Host: "h:1", Target: "/x", Proto: "HTTP/3.0", Whole: true}, "", false},
		{Request{Method: "GET", Scheme: "http", Host: "h:1", Target: "/x", Header: http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}}, Whole: true}, "", false},
	} {
		got, ok := c.request.Curl()
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q, %v; want %q", got, ok, c.want)
		}
	}
}

// Whoever sends the request chooses all of it. Made again, it is the same request,
// goes to this machine alone, and reads no file.
func TestAReplayReadsNoFile(t *testing.T) {
	if !installed("curl") {
		t.Skip("no curl here")
	}
	file := t.TempDir() + "/id_rsa"
	if err := os.WriteFile(file, []byte("of the person's alone"), 0o600); err != nil {
		t.Fatal(err)
	}
	proxied := false
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied = true }))
	defer proxy.Close()
	for _, r := range []Request{
		{Method: "POST", Scheme: "http", Host: "shop.example", Target: "/x", Body: []byte("@" + file), Whole: true},
		{Method: "GET", Scheme: "http", Host: "shop.example", Target: "/x", Body: []byte("@" + file), Whole: true},
		{Method: "POST", Scheme: "http", Host: "shop.example", Target: "/x", Body: []byte("{\n  \"a\": '1'\r\n}\n"), Whole: true},
		{Method: "PUT", Scheme: "http", Host: "shop.example", Target: "/[1-3]{a,b}", Body: []byte("@" + file), Whole: true},
		{Method: "GET", Scheme: "http", Host: "shop.example", Target: "/{x,y}", Header: http.Header{"X-A": {"@" + file, "$(id)", "`id`"}}, Whole: true},
	} {
		var got []string
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
			body, _ := io.ReadAll(q.Body)
			got = append(got, q.Method+" "+q.RequestURI+" "+string(body))
		}))
		line, err := r.Replay()
		if err != nil {
			t.Fatalf("%+v is not replayed: %v", r, err)
		}
		_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
		result, err := Run(t.Context(), line, t.TempDir(), append(os.Environ(), PortVariable+"="+port, "http_proxy="+proxy.URL, "ALL_PROXY="+proxy.URL))
		server.Close()
		if want := r.Method + " " + r.Target + " " + string(r.Body); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: sent %q, want %q; %s, %v", line, got, want, result.Output, err)
		}
	}
	if proxied {
		t.Error("it went to a proxy")
	}
	if line, err := (Request{Method: "GET", Scheme: "http", Host: "h", Target: "/", Header: http.Header{"@" + file: {"x"}}, Whole: true}).Replay(); err == nil {
		t.Errorf("a header is the name of a file: %s", line)
	}
}

// Handlers branch on any of what the client sent, and on what it did not send.
func TestAReplayIsTheSameRequest(t *testing.T) {
	if !installed("curl") {
		t.Skip("no curl here")
	}
	got := make(chan Request, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		got <- Request{Method: q.Method, Scheme: "http", Host: q.Host, Target: q.RequestURI, Proto: q.Proto, Header: q.Header, Body: body, Whole: true}
	}))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	home := t.TempDir()
	if err := os.WriteFile(home+"/.curlrc", []byte("header = \"X-Mine: 1\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), PortVariable+"="+port, "HOME="+home)
	for _, raw := range []string{
		"GET /x HTTP/1.1\r\nHost: shop.example\r\n\r\n",
		"GET /x HTTP/1.0\r\nHost: shop.example\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n",
		"GET /a/../b/./c#d\xc3\xa9 HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: curl/1.2.3\r\nAccept: text/csv\r\n\r\n",
		"GET /x HTTP/1.1\r\nHost: shop.example\r\nAccept: */*\r\nAccept: text/csv\r\nAccept-Encoding: br;q=1, gzip\r\nUser-Agent:\r\nX-Empty:\r\n\r\n",
		"GET /x HTTP/1.1\r\nHost: shop.example\r\nConnection: keep-alive, TE\r\nKeep-Alive: timeout=5\r\nTE: trailers\r\n\r\n",
		"GET /x HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n\r\n",
		"HEAD /x HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n",
		"POST /x HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 0\r\n\r\n",
		"POST /x HTTP/1.1\r\nHost: shop.example\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
		"PUT /x HTTP/1.1\r\nHost: shop.example\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi",
	} {
		client, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(client, raw)
		expectSame(t, <-got, got, env)
		_ = client.Close()
	}
	expectSame(t, Request{Method: "GET", Scheme: "http", Host: "shop.example", Target: "/x", Proto: "HTTP/2.0", Header: http.Header{"User-Agent": {"grpc"}, "Te": {"trailers"}}, Body: []byte{}, Whole: true}, got, env)
}

// expectSame replays a request to a server that hands on what it gets.
func expectSame(t *testing.T, r Request, got <-chan Request, env []string) {
	t.Helper()
	line, err := r.Replay()
	if err != nil {
		t.Fatal(err)
	}
	result, err := Run(t.Context(), line, t.TempDir(), env)
	if err != nil || len(got) != 1 {
		t.Fatalf("%s\nhas sent %d requests\n%d %s, %v", line, len(got), result.Exit, result.Output, err)
	}
	if again := <-got; !reflect.DeepEqual(r, again) {
		t.Errorf("%s\nhas sent %+v, want %+v", line, again, r)
	}
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}
