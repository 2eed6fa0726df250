package session_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/sessiontest"
)

// loaders are texts that a viewer of markdown would load something for, draw as words of
// the log, or hide a link in. "evil" is where each leads, PRETEND what each pretends.
var loaders = []string{
	`<img src="http://evil.example/seen.png">`,
	`![b](http://evil.example/?d=1)`,
	`![b][b] [b]`, "[b]: http://evil.example\n\n![b]",
	"[a link](http://evil.example)",
	`\![b]\(u) \\![b](http://evil.example) !\[b](http://evil.example)`,
	"](http://evil.example)![x", "(http://evil.example)![x]", "![x](http://evil.example \"t\")[",
	"a | b\n| PRETEND | ![x](http://evil.example) |", `a \| <img src=http://evil.example> \\| b`,
	"x` ![b](http://evil.example)", "\\` <img src=http://evil.example/x>", "\\` ` <img src=http://evil.example/x> \\", "` ![b](http://evil.example) ``", "``", "`",
	"```\n![b](http://evil.example)\nPRETEND\n", "~~~\n", "````\n```\n# PRETEND",
	"x\n# PRETEND", "# PRETEND", "- PRETEND", "1. PRETEND", "> PRETEND", "PRETEND", "PRETEND\n===", "---\nPRETEND", "    PRETEND", "\tPRETEND",
	"x\n\n**PRETEND: verified**", "x\r# PRETEND", "x\u2028# PRETEND", "x\n| a |\n| - |\n| PRETEND |",
	"<!-- ", "<script>alert(1)</script>", "<a href=http://evil.example>ours</a>", "<details><summary>", "<https://evil.example>", "<x@evil.example>",
	"&#x202e;&#8203;&lt;img src=x&gt;&zwj;", "```mermaid\nA@{ img: \"http://evil.example\" }\n```",
	"~~~mermaid `\nA@{ img: \"http://evil.example\" }\n~~~",
	"it ~~PRETEND~~, *PRETEND* and __PRETEND__ or _PRETEND_ with **PRETEND**",
	"--- a/x\n+++ b/x\n@@ -1 +1 @@\n PRETEND\nPRETEND\n",
}

// allowed are the elements that the log is made of.
var allowed = regexp.MustCompile(`^<(/?(h[1-6]|p|ul|ol|li|code|pre|em|strong|table|thead|tbody|tr|th|td|blockquote|del|br)|hr|ol start="\d+"|br|code class="language-(diff|python|go|text)")>$`)

// TestTheMarkdownLogLoadsNothing fills every string of every event with markdown and HTML,
// and reads the log as a viewer does: it must load nothing, show no link whose address is
// not its text, and have no line of another's.
func TestTheMarkdownLogLoadsNothing(t *testing.T) {
	viewer := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	tags := regexp.MustCompile(`<[^>]*>`)
	link := regexp.MustCompile(`<a href="(?:https?://|mailto:)?([^"]*)">(?:https?://)?([^<]*)</a>`)
	began := regexp.MustCompile(`<(h[2-6]|p|li|pre><code|del|em)>PRETEND`)
	for _, text := range loaders {
		for _, b := range sessiontest.HostileWith(text) {
			log := string(session.Markdown(crashedWith(text, b)))
			if sessiontest.Pretends(log) {
				t.Errorf("%q in %s: a line that is not ours:\n%s", text, b.Kind(), log)
			}
			_, body, ok := strings.Cut(log, "\n---\n") // the front matter is data
			var page bytes.Buffer
			if err := viewer.Convert([]byte(body), &page); err != nil || !ok {
				t.Fatal(err)
			}
			shown := link.ReplaceAllStringFunc(page.String(), func(l string) string {
				if m := link.FindStringSubmatch(l); m[1] == m[2] {
					return ""
				}
				return l
			})
			quotes := 0
			for _, tag := range tags.FindAllString(shown, -1) {
				if !allowed.MatchString(tag) {
					t.Errorf("%q in %s becomes %s", text, b.Kind(), tag)
				}
				quotes += strings.Count(tag, "<blockquote>")
			}
			if quotes == 0 && strings.Count(shown, "<h1>") != 1 {
				t.Errorf("%q in %s becomes a title", text, b.Kind())
			}
			if m := began.FindString(shown); m != "" && quotes == 0 {
				t.Errorf("%q in %s becomes a line that is not ours: %s", text, b.Kind(), m)
			}
		}
	}
}

// crashedWith are the events of a session with a crash and one event more: some are only
// written after others.
func crashedWith(text string, b session.Body) []session.Event {
	stopped := &session.Stopped{}
	sessiontest.FillWith(stopped, text)
	stopped.Stop.Reason = debugger.ReasonPanic
	var events []session.Event
	for i, body := range []session.Body{&session.Started{}, stopped, b} {
		events = append(events, session.Event{Seq: uint64(i + 1), At: time.Unix(0, 0), Actor: text, Body: body})
	}
	return events
}
