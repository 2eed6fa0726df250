package web_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"go.uber.org/goleak"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/session/sessiontest"
	"github.com/pausetui/pausetui/session/web"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestMain(m *testing.M) {
	state, err := os.MkdirTemp("", "pausetui-state-") // of the key of journals
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_STATE_HOME", state)
	xdg.Reload()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(state)
		os.Exit(code)
	}))
}

// kept reads a session that the repository keeps.
func kept(t *testing.T, name string) []session.Event {
	t.Helper()
	events, err := session.ReadFile("../../debug/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func page(t *testing.T, events []session.Event) string {
	t.Helper()
	var b bytes.Buffer
	if err := web.Page(&b, "20261123-114836-nil-map-write", session.Fold(session.NewState(), events), events); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// markup is what a hostile text would put into a page.
const markup = `</pre></style></script><script>window.owned=1</script><img src=http://evil.example/x onerror=window.owned=1><a href="javascript:1">"' onload=x {{.}} <!-- `

// hostile are events of every kind, each string of which is an attack on the
// terminal or on the page.
func hostile() []session.Event {
	var events []session.Event
	add := func(b session.Body) {
		events = append(events, session.Event{Seq: uint64(len(events) + 1), At: time.Unix(0, 0), Actor: sessiontest.Attack + markup, Body: b})
	}
	base, err := session.ReadFile("../../debug/20261123-114836-nil-map-write.jsonl")
	if err != nil {
		panic(err)
	}
	for _, e := range base { // candidates with diffs at stops, tainted
		sessiontest.Taint(e.Body, false)
		switch b := e.Body.(type) {
		case *session.Started:
			b.Package = markup
		case *session.Stopped:
			if b.Stop.Panic != nil {
				b.Stop.Panic.Message = markup + b.Stop.Panic.Message
			}
		case *session.Proposed:
			b.Candidate.Title, b.Candidate.Explanation = markup, markup
			for i := range b.Candidate.Edits {
				b.Candidate.Edits[i].After += markup
			}
		}
		add(e.Body)
	}
	for _, b := range sessiontest.Hostile() {
		add(b)
	}
	return events
}

func TestThePageHoldsTheSession(t *testing.T) {
	text := page(t, kept(t, "20261123-114836-nil-map-write"))
	for _, want := range []string{"nil-map-write", "assignment to entry in nil map", "(*Inventory).remember", "examples/inventory/suppliers.go:13",
		"supplier", "Norrland Steel", "✓ verified", "make bySupplier in NewInventory", "judged fixed", `class="l add"`, "builtin/rules", "11:48:36"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	if url := regexp.MustCompile(`(?i)(https?:)?//[a-z]|\b(src|href|action)=|@import|url\(`).FindString(strings.ReplaceAll(text, "\n// ", "")); url != "" {
		t.Errorf("the page leads elsewhere: %q", url)
	}
}

// What a fix changes is a table of the page.
func TestThePageShowsWhatAFixChanges(t *testing.T) {
	events := kept(t, "20261123-114836-nil-map-write")
	candidate := ""
	for _, e := range events {
		if b, ok := e.Body.(*session.Proposed); ok {
			candidate = b.Candidate.ID
		}
	}
	b := verdict.Behavior{Status: verdict.Warn, Tried: 9, Same: 7, Answers: 1, Changed: 1, Left: []string{"main: it cannot be called again"}, Rows: []verdict.BehaviorRow{
		{Kind: verdict.RowAnswers, Input: `f("<b>")`, Before: "panics: x", After: `returns "<i>"`, Stop: true}, {Kind: verdict.RowChanged, Input: "f(1)", Before: "returns 1", After: "returns 2"}}}
	events = append(events, session.Event{Seq: uint64(len(events) + 1), Body: &session.Compared{Candidate: candidate, Behavior: b}})
	text := page(t, events)
	for _, want := range []string{`<span class="warn">⚠ changes 1 answer</span>`, `<code>f(&#34;&lt;b&gt;&#34;)</code> <span class="quiet">the stop</span>`, `<td data-of="now: ">returns &#34;&lt;i&gt;&#34;</td>`,
		`<span class="warn">⚠</span> <code>f(1)</code>`, "9 inputs tried: 7 answered the same, 1 that failed before answer now, 1 changed.", "not compared: main: it cannot be called again"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
}

// The history of a value is a table of the page, and a list of the log.
func TestTheHistoryOfAValueIsShown(t *testing.T) {
	events := kept(t, "20261123-114836-nil-map-write")
	i := slices.IndexFunc(events, func(e session.Event) bool { _, ok := e.Body.(*session.Stopped); return ok })
	h := evidence.History{Expr: "x", Value: "nil", Goroutine: 1, Rows: []evidence.HistoryRow{{Kind: "set", Value: "nil", Text: "x = <b>", Function: "reset", File: "a.go", Line: 4, Goroutine: 7}}}
	events = slices.Insert(slices.Clone(events[:i+1]), i+1, session.Event{Seq: events[i].Seq + 1, Body: &session.Diagnosed{Diagnosis: evidence.Diagnosis{Observed: h.Sentence(), History: &h}}})
	text := page(t, events)
	for _, want := range []string{`<tr class="origin"><td><code>a.go:4</code></td><td><code>x = &lt;b&gt;</code></td><td data-of="value: ">nil</td><td><code>reset, goroutine 7</code></td>`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	if log, want := string(session.Markdown(events)), "▸ a.go:4  x = <b>  [nil] in reset, goroutine 7, 0 s before"; !strings.Contains(log, want) {
		t.Errorf("the log does not show %q", want)
	}
}

func TestThePageHasAStrictPolicy(t *testing.T) {
	text := html.UnescapeString(page(t, kept(t, "20261123-114836-nil-map-write")))
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^ ]*'; script-src 'sha256-[^ ]*'; base-uri 'none'; form-action 'none'">`)
	at := policy.FindStringIndex(text)
	if at == nil || at[0] > strings.Index(text, "<style") || at[0] > strings.Index(text, "<script") {
		t.Errorf("the policy is not there, or too late: %v", at)
	}
}

func TestThePageHoldsNothingHostile(t *testing.T) {
	text := page(t, hostile())
	clean(t, text)
	if n := strings.Count(text, "<script"); n != 1 {
		t.Errorf("the page has %d scripts", n)
	}
	if !strings.Contains(text, "&lt;script&gt;window.owned") {
		t.Error("the attack is not in the page")
	}
}

// clean checks a page that an attack was made on.
func clean(t *testing.T, text string) {
	t.Helper()
	if bad := sessiontest.Escaped(text); bad != "" {
		t.Error(bad)
	}
	text = regexp.MustCompile(`‹U&#43;.*`).ReplaceAllString(text, "") // source shows what is hidden in it
	for _, bad := range []string{"<img", "<a href=\"javascript", "<script>window", "[8;35;66m", "]0;title", "52;c;aGk="} {
		if i := strings.Index(text, bad); i >= 0 {
			t.Errorf("%q in %q", bad, text[max(0, i-200):min(len(text), i+80)])
		}
	}
}

func TestAPageIsBounded(t *testing.T) {
	events := kept(t, "20261123-114836-nil-map-write")
	var many []session.Event
	for _, e := range events {
		many = append(many, e)
		if p, ok := e.Body.(*session.Proposed); ok {
			long := *p
			long.Candidate.Explanation = strings.Repeat("x", 1<<20)
			for range 500 {
				many = append(many, session.Event{Seq: e.Seq, At: e.At, Body: &long})
			}
		}
	}
	var b bytes.Buffer
	err := web.Page(&b, "x", session.Fold(session.NewState(), many), many)
	if err != nil || b.Len() > 8<<20 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}

// opened is an index of a directory with the sessions that the repository keeps.
func opened(t *testing.T) (string, *index.Index) {
	t.Helper()
	logs := filepath.Join(t.TempDir(), "debug")
	testsupport.KeptLogs(t, logs)
	x, err := index.Open(t.Context(), filepath.Join(t.TempDir(), "sessions.db"), logs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return logs, x
}

const (
	addr  = "127.0.0.1:4321"
	token = "TOKEN"
)

func get(t *testing.T, h http.Handler, method, host, path string) (status int, header http.Header, body string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	r.Host = host
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Header(), w.Body.String()
}

func TestWhoMayLook(t *testing.T) {
	_, x := opened(t)
	h := web.Handler(web.Options{Index: x, Addr: addr, Token: token, Now: time.Now})
	for _, tt := range []struct {
		method, host, path string
		want               int
	}{
		{"GET", addr, "/TOKEN/", 200},
		{"GET", "localhost:4321", "/TOKEN/stats", 200},
		{"GET", addr, "/TOKEN/?q=class:nil*", 200},
		{"GET", addr, "/TOKEN/s/20261123-114836-nil-map-write", 200},
		{"GET", addr, "/", 404},
		{"GET", addr, "/TOKEM/", 404},
		{"GET", addr, "/TOKEN2/", 404},
		{"GET", addr, "/TOKE/stats", 404},
		{"GET", addr, "/stats", 404},
		{"GET", "evil.example", "/TOKEN/", 403},
		{"GET", "evil.example:4321", "/TOKEN/", 403},
		{"GET", "127.0.0.1:1", "/TOKEN/", 403},
		{"GET", "", "/TOKEN/", 403},
		{"POST", addr, "/TOKEN/", 405},
		{"DELETE", addr, "/TOKEN/s/20261123-114836-nil-map-write", 405},
		{"HEAD", addr, "/TOKEN/", 405},
		{"POST", "evil.example", "/", 405},
		{"GET", addr, "/TOKEN/?q=klass:x", 400},
		{"GET", addr, "/TOKEN/?q=" + strings.Repeat("x", 1000), 400},
		{"GET", addr, "/TOKEN/s/20261120-nothing", 404},
		{"GET", addr, "/TOKEN/s/..%2f..%2fetc%2fpasswd", 404},
		{"GET", addr, "/TOKEN/s/x/events", 404},
	} {
		status, header, body := get(t, h, tt.method, tt.host, tt.path)
		if status != tt.want {
			t.Errorf("%s %s%s: %d, not %d", tt.method, tt.host, tt.path, status, tt.want)
		}
		for name, want := range map[string]string{"Content-Security-Policy": "default-src 'none'", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"} {
			if !strings.Contains(header.Get(name), want) {
				t.Errorf("%s: %s is %q", tt.path, name, header.Get(name))
			}
		}
		if (tt.want == 403 || tt.want == 404 && !strings.HasPrefix(tt.path, "/TOKEN/")) && strings.Contains(body, token) {
			t.Errorf("%s: the answer holds the token", tt.path)
		}
	}
}

func TestOnlyThisMachine(t *testing.T) {
	for addr, want := range map[string]string{"127.0.0.1:0": "127.0.0.1:0", "localhost:80": "127.0.0.1:80", "[::1]:0": "[::1]:0", "127.1.2.3:0": "127.1.2.3:0",
		":8080": "", "0.0.0.0:0": "", "192.168.1.2:0": "", "example.com:80": "", "127.0.0.1": "", "": ""} {
		if got, err := web.Loopback(addr); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", addr, got, err)
		}
	}
}

func TestTheNonceIsOfOneAnswer(t *testing.T) {
	_, x := opened(t)
	h := web.Handler(web.Options{Index: x, Addr: addr, Token: token, Now: time.Now})
	seen := map[string]bool{}
	for range 3 {
		_, header, body := get(t, h, "GET", addr, "/TOKEN/")
		policy := header.Get("Content-Security-Policy")
		nonce := regexp.MustCompile(`'nonce-(\w+)'`).FindStringSubmatch(policy)
		if nonce == nil || seen[nonce[1]] || strings.Count(body, `nonce="`+nonce[1]+`"`) != 2 {
			t.Errorf("the policy %q does not fit the page", policy)
			continue
		}
		seen[nonce[1]] = true
	}
}

func TestServedPages(t *testing.T) {
	logs, x := opened(t)
	journal, err := session.CreateJournal(filepath.Join(logs, "20261121-000000-hostile.jsonl"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range hostile() {
		if _, err := journal.Append(e.Actor, e.Body); err != nil {
			t.Fatal(err)
		}
	}
	journal.Close()
	h := web.Handler(web.Options{Index: x, Addr: addr, Token: token, Now: time.Now})
	for path, wants := range map[string][]string{
		"/TOKEN/":                          {"7 sessions", "20261123-114836-nil-map-write"},
		"/TOKEN/?q=class:nil*":             {"sessions", "assignment to entry in nil map"},
		"/TOKEN/?q=klass:x":                {"unknown filter"},
		"/TOKEN/stats":                     {"7 sessions", "<svg", "builtin/rules"},
		"/TOKEN/s/20261121-000000-hostile": {"&lt;script&gt;window.owned"},
	} {
		_, _, body := get(t, h, "GET", addr, path)
		clean(t, body)
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("%s does not show %q: %s", path, want, body[strings.Index(body, "<main"):])
			}
		}
	}
}

func add(t *testing.T, log *session.Log, b session.Body) {
	t.Helper()
	if _, err := log.Append("engine", b); err != nil {
		t.Fatal(err)
	}
}

func TestASessionIsFollowed(t *testing.T) {
	logs, x := opened(t)
	log, err := session.CreateLog(logs, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	add(t, log, &session.Started{ID: log.ID(), Package: "./x"})
	name := filepath.Base(strings.TrimSuffix(log.Path(), ".md"))

	server := httptest.NewUnstartedServer(nil)
	server.Config.Handler = web.Handler(web.Options{Index: x, Addr: server.Listener.Addr().String(), Token: token, Now: time.Now})
	server.Start()
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	follow := func(ctx context.Context) *bufio.Scanner {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/TOKEN/s/"+name+"/events?after=1", nil)
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
			t.Fatalf("the answer is %q", kind)
		}
		return bufio.NewScanner(answer.Body)
	}
	until := func(lines *bufio.Scanner, want string) {
		t.Helper()
		for lines.Scan() {
			clean(t, lines.Text())
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Fatalf("%q did not come: %v", want, lines.Err())
	}
	add(t, log, &session.Notice{Level: "info", Text: "first " + sessiontest.Attack})
	lines := follow(ctx)
	until(lines, "first")
	add(t, log, kept(t, "20261123-114836-nil-map-write")[0].Body)
	for _, e := range kept(t, "20261123-114836-nil-map-write")[1:] {
		add(t, log, e.Body) // the files get another name
	}
	until(lines, "nil-map-write")
	until(lines, "session ended")
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	until(lines, "event: end")

	again, stop := context.WithCancel(ctx) // by the name it had, and left early
	lines = follow(again)
	until(lines, "first")
	stop()
	for lines.Scan() {
	}
}

func TestFilesThatAreNoJournals(t *testing.T) {
	logs, x := opened(t)
	h := web.Handler(web.Options{Index: x, Addr: addr, Token: token, Now: time.Now})
	secret := filepath.Join(t.TempDir(), "secret")
	large := filepath.Join(logs, "20261121-000001-large.jsonl")
	err := errors.Join(
		os.WriteFile(secret, []byte("a secret"), 0o600),
		os.WriteFile(large, nil, 0o600),
		os.Truncate(large, 65<<20),
		os.Symlink(secret, filepath.Join(logs, "20261121-000002-link.jsonl")),
		os.WriteFile(filepath.Join(logs, "20261121-000003-binary.jsonl"), []byte("\x00\xff<script>\n\x00\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"20261121-000001-large": 413, "20261121-000002-link": 422, "20261121-000003-binary": 422} {
		status, _, body := get(t, h, "GET", addr, "/TOKEN/s/"+name)
		clean(t, body)
		if status != want || strings.Contains(body, "a secret") {
			t.Errorf("%s: %d", name, status)
		}
	}
	if status, _, _ := get(t, h, "GET", addr, "/TOKEN/"); status != 200 {
		t.Errorf("the list: %d", status)
	}
	if status, _, _ := get(t, h, "GET", addr, "/TOKEN/s/20261121-000002-link/events"); status != 404 {
		t.Errorf("a link is followed: %d", status)
	}
}

func TestFollowersAreBounded(t *testing.T) {
	logs, x := opened(t)
	log, err := session.CreateLog(logs, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	add(t, log, &session.Started{ID: log.ID(), Package: "./x"})
	server := httptest.NewUnstartedServer(nil)
	server.Config.Handler = web.Handler(web.Options{Index: x, Addr: server.Listener.Addr().String(), Token: token, Now: time.Now})
	server.Start()
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel() // which the streams end with
	path := server.URL + "/TOKEN/s/" + filepath.Base(strings.TrimSuffix(log.Path(), ".md")) + "/events"
	for n := range 17 {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		if full := answer.StatusCode == http.StatusServiceUnavailable; full != (n == 16) {
			t.Errorf("request %d: %d", n+1, answer.StatusCode)
		}
	}
}

// service are the events of a service that fails at two places, one after the
// other, and runs on without a failure when both are fixed.
func service(began time.Time) []session.Event {
	at, seq := began, uint64(0)
	var events []session.Event
	add := func(after time.Duration, b session.Body) {
		seq, at = seq+1, at.Add(after)
		events = append(events, session.Event{Seq: seq, At: at, Actor: "engine", Body: b})
	}
	panics := func(after time.Duration) {
		stop := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Class: debugger.NilMapWrite, Message: "assignment to entry in nil map", Recovered: true}}
		add(after, &session.Stopped{Stop: stop})
	}
	fixes := func(id, title string) {
		add(0, &session.Proposed{Candidate: patch.Candidate{ID: id, Title: title}})
		add(0, &session.Applied{Candidate: id})
	}
	launches := func(round int) {
		add(time.Second, &session.Launched{Round: round})
		add(0, &session.Resumed{Motion: debugger.Continue})
	}
	add(0, &session.Started{Package: "./service"})
	launches(1)
	panics(time.Second)
	add(time.Hour, &session.Resumed{Motion: debugger.Continue}) // held for an hour
	panics(time.Second)
	fixes("c1", "make the map")
	launches(2)
	panics(4 * time.Second)
	fixes("c2", "clamp n")
	launches(3)
	return events
}

func TestThePageComparesTheLaunches(t *testing.T) {
	events := service(time.Unix(1000, 0))
	text := page(t, append(events, session.Event{Seq: 99, At: events[len(events)-1].At.Add(30 * time.Second), Body: &session.Notice{Text: "still there"}}))
	rows := regexp.MustCompile(`(?s)<tr[^>]*><th scope="row">(\d) ?(?:<span class="quiet">([^<]*)</span>)?</th>.*?width="([\d.]+)" height="8".*?<td class="rate">([^<]*)</td><td>(\d)</td><td class="ran">([^<]*)</td>`).FindAllStringSubmatch(text, -1)
	var got [][]string
	for _, r := range rows {
		got = append(got, r[1:])
	}
	want := [][]string{{"1", "", "100", "60.0", "2", "2.0 s"}, {"2", "with fix 1 make the map", "25", "15.0", "1", "4.0 s"}, {"3", "with fix 2 clamp n", "0", "0.0", "0", "30 s"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("launches %q, want %q", got, want)
	}
	if one := page(t, kept(t, "20261123-114836-nil-map-write")); strings.Contains(one, `id="rates"`) {
		t.Error("a program that its failure ended has a rate")
	}
}
