package web_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/web"
)

var (
	shots = flag.String("shots", "", "write pictures of the pages to this directory")
	axe   = flag.String("axe", "", "check accessibility with this file: axe.min.js of axe-core")
)

// chromium is a headless browser that is driven by its debugging protocol over
// two pipes. https://chromedevtools.github.io/devtools-protocol/
type chromium struct {
	t    *testing.T
	to   *os.File
	from *bufio.Reader
	tab  string
	next int

	requests []string // URLs
	problems []string // what the console said
}

// openChromium starts the browser; the test is skipped where there is none.
func openChromium(t *testing.T) *chromium {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	theirs, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{theirs, answers}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	answers.Close()
	b := &chromium{t: t, to: to, from: bufio.NewReader(from)}
	from.SetReadDeadline(time.Now().Add(90 * time.Second))
	t.Cleanup(func() {
		b.call("Browser.close", nil)
		to.Close()
		cmd.Wait()
		cancel()
		from.Close()
	})
	var tab struct{ TargetID, SessionID string }
	b.result("Target.createTarget", map[string]any{"url": "about:blank"}, &tab)
	b.result("Target.attachToTarget", map[string]any{"targetId": tab.TargetID, "flatten": true}, &tab)
	b.tab = tab.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil)
	}
	return b
}

type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct{ Message string }
}

// call sends a command and waits for its answer.
func (b *chromium) call(method string, params any) (json.RawMessage, error) {
	b.next++
	command := map[string]any{"id": b.next, "method": method}
	if params != nil {
		command["params"] = params
	}
	if b.tab != "" && method != "Browser.close" {
		command["sessionId"] = b.tab
	}
	text, err := json.Marshal(command)
	if err != nil {
		return nil, err
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return nil, err
	}
	for {
		text, err := b.from.ReadBytes(0)
		if err != nil {
			return nil, err
		}
		var m message
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
			return nil, err
		}
		switch {
		case m.ID == b.next && m.Error != nil:
			return nil, errors.New(m.Error.Message)
		case m.ID == b.next:
			return m.Result, nil
		}
		b.happened(m)
	}
}

func (b *chromium) happened(m message) {
	switch m.Method {
	case "Network.requestWillBeSent":
		var p struct{ Request struct{ URL string } }
		json.Unmarshal(m.Params, &p)
		b.requests = append(b.requests, p.Request.URL)
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
		b.problems = append(b.problems, string(m.Params))
	}
}

func (b *chromium) result(method string, params, into any) {
	b.t.Helper()
	got, err := b.call(method, params)
	if err == nil && into != nil {
		err = json.Unmarshal(got, into)
	}
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

// evaluate returns the value of an expression in the page, as text.
func (b *chromium) evaluate(expression string) (string, error) {
	answer, err := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	if err != nil {
		return "", err
	}
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return "", err
	}
	if got.ExceptionDetails != nil {
		return "", errors.New(string(got.ExceptionDetails))
	}
	return fmt.Sprint(got.Result.Value), nil
}

func (b *chromium) eval(expression string) string {
	b.t.Helper()
	value, err := b.evaluate(expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// wait waits until an expression is true. An evaluation fails while the tab goes
// from one page to the next.
func (b *chromium) wait(expression string) {
	b.t.Helper()
	testsupport.Until(b.t, func() string {
		value, err := b.evaluate(expression)
		if value == "true" {
			return ""
		}
		return fmt.Sprintf("%s becomes true: %v; the console: %s", expression, err, b.problems)
	})
}

func (b *chromium) open(url string) {
	b.t.Helper()
	b.result("Page.navigate", map[string]any{"url": url}, nil)
	b.wait(fmt.Sprintf("document.readyState === 'complete' && location.href === %q && !document.querySelector('#theme').hidden", url))
}

// typed puts text into the search of the page, as a person does.
func (b *chromium) typed(text string) {
	b.t.Helper()
	b.eval("{ const f = document.querySelector('#find input'); f.focus(); f.select(); 0 }")
	if text == "" {
		b.eval("document.execCommand('delete')")
		return
	}
	b.result("Input.insertText", map[string]any{"text": text}, nil)
}

// accessible reports what axe-core finds.
func (b *chromium) accessible(name string) {
	b.t.Helper()
	if *axe == "" {
		return
	}
	script, err := os.ReadFile(*axe)
	if err != nil {
		b.t.Fatal(err)
	}
	b.eval(string(script) + "; 0")
	if found := b.eval("axe.run({resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join('\\n')).join('\\n'))"); found != "" {
		b.t.Errorf("axe: %s: %s", name, found)
	}
}

// looks checks that a page fits, narrow and wide, and takes pictures of it.
func (b *chromium) looks(name string) {
	b.t.Helper()
	for _, width := range []int{400, 1400} {
		b.result("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false}, nil)
		if wide := b.eval("document.documentElement.scrollWidth"); wide != fmt.Sprint(width) {
			b.t.Errorf("%s is %s wide in a window of %d", name, wide, width)
		}
		for _, scheme := range []string{"light", "dark"} {
			b.result("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
			b.accessible(fmt.Sprintf("%s-%d-%s", name, width, scheme))
			if *shots == "" {
				continue
			}
			var picture struct{ Data string }
			b.result("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &picture)
			data, err := base64.StdEncoding.DecodeString(picture.Data)
			if err != nil {
				b.t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(*shots, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)), data, 0o600); err != nil {
				b.t.Fatal(err)
			}
		}
	}
}

// quiet checks that nothing was loaded but below a prefix, and that the console
// is empty.
func (b *chromium) quiet(prefix string) {
	b.t.Helper()
	for _, url := range b.requests {
		if !strings.HasPrefix(url, prefix) && url != "about:blank" {
			b.t.Errorf("the page asked for %s", url)
		}
	}
	for _, p := range b.problems {
		b.t.Errorf("the console: %s", p)
	}
}

func TestTheFileInABrowser(t *testing.T) {
	b := openChromium(t)
	file := filepath.Join(t.TempDir(), "page.html")
	events := kept(t, "20261123-114836-nil-map-write")
	if err := os.WriteFile(file, []byte(page(t, events)), 0o600); err != nil {
		t.Fatal(err)
	}
	url := "file://" + file
	b.open(url)
	b.looks("session")
	const shown = "[...document.querySelectorAll('.part')].filter(p => p.checkVisibility()).length"
	whole := b.eval(shown)
	b.typed("bySupplier")
	b.wait(shown + " < " + whole + " && " + shown + " > 0")
	if n := b.eval("CSS.highlights.get('found').size"); n == "0" {
		t.Error("what was found is not highlighted")
	}
	if text := b.eval("document.querySelector('#find output').textContent"); !strings.Contains(text, " of ") {
		t.Errorf("the search says %q", text)
	}
	b.typed("no such words")
	b.wait(shown + " === 0")
	b.typed("")
	b.wait(shown + " === " + whole)
	b.eval("document.querySelector('#c1-checks summary').click()")
	b.wait("document.querySelector('#c1-checks').open && document.querySelector('#c1-checks table').checkVisibility()")
	before := b.eval("getComputedStyle(document.body).backgroundColor")
	b.eval("document.querySelector('#theme').click()")
	if after := b.eval("getComputedStyle(document.body).backgroundColor"); after == before {
		t.Errorf("the theme stays %s", after)
	}
	b.quiet("file://" + file)
}

func TestHostileSessionsInABrowser(t *testing.T) {
	b := openChromium(t)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page(t, hostile())), 0o600); err != nil {
		t.Fatal(err)
	}
	b.open("file://" + file)
	for expression, want := range map[string]string{
		"window.owned === undefined": "true", "document.scripts.length": "1", "document.images.length": "0", "document.links.length": "0",
	} {
		if got := b.eval(expression); got != want {
			t.Errorf("%s is %s", expression, got)
		}
	}
	b.looks("hostile")
	b.quiet("file://" + file)
}

func TestTheServedPagesInABrowser(t *testing.T) {
	b := openChromium(t)
	logs, x := opened(t)
	server := httptest.NewUnstartedServer(nil)
	o := web.Options{Index: x, Addr: server.Listener.Addr().String(), Token: web.NewToken(), Now: time.Now}
	server.Config.Handler = web.Handler(o)
	server.Start()
	t.Cleanup(server.Close)
	base := server.URL + o.Path()

	b.open(base)
	b.looks("list")
	b.eval("{ document.querySelector('input[name=q]').value = 'class:nil-map-write'; setTimeout(() => document.querySelector('form.find button').click()); 0 }")
	b.wait("location.search.includes('nil-map-write') && document.querySelectorAll('.sessions li').length === 1")
	b.eval("setTimeout(() => document.querySelector('.sessions a').click()); 0")
	b.wait("document.querySelectorAll('.candidate').length > 0")
	b.open(base + "stats")
	b.wait("document.querySelectorAll('svg').length > 3")
	b.looks("stats")

	log, err := session.CreateLog(logs, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	running := filepath.Base(strings.TrimSuffix(log.Path(), ".md"))
	add(t, log, &session.Started{ID: log.ID(), Package: "./cmd/live"})
	b.open(base + "s/" + running)
	add(t, log, &session.Notice{Level: "info", Text: "something happened"})
	b.wait("document.querySelector('#events').textContent.includes('something happened')")
	for _, e := range kept(t, "20261123-114836-nil-map-write")[1:] {
		add(t, log, e.Body)
	}
	b.wait("document.querySelectorAll('.candidate').length > 0")
	log.Close()
	b.wait("!document.querySelector('.badge.live')")
	b.quiet(server.URL)
}

// The failures of a service fall as it is fixed, and the page of the session that
// goes on shows it.
func TestTheFailuresFallInABrowser(t *testing.T) {
	b := openChromium(t)
	logs, x := opened(t)
	server := httptest.NewUnstartedServer(nil)
	o := web.Options{Index: x, Addr: server.Listener.Addr().String(), Token: web.NewToken(), Now: time.Now}
	server.Config.Handler = web.Handler(o)
	server.Start()
	t.Cleanup(server.Close)
	events := service(time.Time{})
	began := time.Now().Add(-events[len(events)-1].At.Sub(events[0].At)) // the last launch is now
	clock := func() time.Time { return began }
	log, err := session.CreateLog(logs, func() time.Time { return clock() })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	running := filepath.Base(strings.TrimSuffix(log.Path(), ".md"))
	const rows, cell = "document.querySelectorAll('#rates tr:has(.rate)')", ".querySelector('.rate').textContent"
	b.open(server.URL + o.Path() + "s/" + running)
	launches := 0
	for _, e := range events {
		clock = func() time.Time { return began.Add(e.At.Sub(events[0].At)) }
		add(t, log, e.Body)
		if _, ok := e.Body.(*session.Launched); ok {
			launches++
		}
		if _, ok := e.Body.(*session.Resumed); ok && launches > 1 {
			b.wait(fmt.Sprintf("%s.length === %d && document.querySelector('#rates .running') === %[1]s[%[2]d - 1]", rows, launches))
		}
	}
	clock = time.Now
	if first := b.eval(rows + "[0]" + cell); first != "60.0" {
		t.Errorf("the failures of the first launch: %s a minute", first)
	}
	if last := b.eval(rows + "[2]" + cell); last != "0.0" {
		t.Errorf("the failures of the last launch: %s a minute", last)
	}
	b.wait(rows + "[2].querySelector('.ran').textContent === '2 s so far'") // without any event
	if widths := b.eval("[..." + rows + "].map(r => r.querySelector('.failed').getBoundingClientRect().width > 0)"); widths != "[true true false]" {
		t.Errorf("bars are shown: %s", widths)
	}
	b.looks("rates")

	// It fails again: the number of this launch rises at once, and falls while it runs on.
	add(t, log, service(time.Now())[3].Body)
	b.wait(rows + "[2]" + cell + " > 1")
	add(t, log, &session.Resumed{Motion: "continue"})
	b.wait("document.querySelector('#rates .running') !== null")
	b.eval("window.before = Number(" + rows + "[2]" + cell + ")")
	b.wait("Number(" + rows + "[2]" + cell + ") < window.before")
	log.Close()
	b.wait("!document.querySelector('.badge.live') && !document.querySelector('#rates .running')")
	b.quiet(server.URL)
}
