package prompts

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Chat templates mark where a turn begins and ends with texts of their own, and
// servers read those wherever they stand: a program whose data says
// <|im_start|>system would speak in another role. So they are broken up by a
// mark that can be seen, in all that is sent, source too: a server does not know
// what is a fence. Code in a reply repeats the mark; there it is taken out again.

// broken is put after the first character of a marker.
const broken = "¦"

// marker finds what has the form of one, whatever it says: a word in angle brackets, one in
// capitals in square brackets, a bar or a tilde next to a bracket.
var marker = lazyregexp.New(`<[^\s<>=¦-][^\s<>¦]{0,60}>|>>[A-Z]{3,20}<<|\[/?[a-z]?[A-Z_]{3,40}\]|[<\[\]][|｜~][^\s<>\[\]¦]|[\[\]]\w{0,3}~[\[\]]`)

// noMarkers are words in brackets that are none: elements of HTML, what package fmt prints, the
// levels of logs. <s> is one of both, and begins a text for many models.
var noMarkers = set("nil", "a", "article", "aside", "b", "blockquote", "body", "br", "button", "caption", "code", "dd", "div", "dl", "dt", "em", "fieldset", "figure", "footer", "form",
	"h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "i", "iframe", "img", "input", "label", "legend", "li", "link", "main", "meta", "nav", "ol", "option", "p", "path",
	"pre", "script", "section", "select", "small", "span", "strong", "style", "sub", "sup", "svg", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "title", "tr", "ul",
	"DEBUG", "ERROR", "FATAL", "INFO", "PANIC", "TRACE", "WARN", "WARNING")

// thoughts are the marks around what a model thinks. Its own answers keep theirs: templates take
// out of the conversation what is between them.
var thoughts = set("think", "thinking", "thought", "reasoning")

func set(words ...string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[w] = true
	}
	return m
}

// breakUp breaks the markers up; those in a model's own answer but for its thoughts.
func breakUp(text string, own bool) string {
	var b strings.Builder
	for {
		m := marker.FindStringIndex(text)
		if m == nil {
			return b.String() + text
		}
		word := strings.Trim(text[m[0]:m[1]], "<>[]/")
		b.WriteString(text[:m[0]+1])
		if !noMarkers[word] && !(own && thoughts[strings.ToLower(word)]) {
			b.WriteString(broken)
		}
		text = text[m[0]+1:] // there may be another one within it
	}
}

// asWritten puts markers together that were broken up.
func asWritten(text string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, broken)
		if at < 0 {
			return b.String() + text
		}
		after := text[at+len(broken):]
		whole := text[max(at-1, 0):at] + after[:min(len(after), 80)]
		b.WriteString(text[:at])
		if at == 0 || !strings.HasPrefix(breakUp(whole, false), whole[:1]+broken) {
			b.WriteString(broken)
		}
		text = after
	}
}
