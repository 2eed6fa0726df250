package patch

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// MaxReply bounds a model's reply, in bytes.
const MaxReply = 1 << 20

// Why a reply cannot be used. Splice and ReplaceAll return them
// inside a *ReplyError that says what exactly is wrong.
var (
	// ErrTooLong is returned for a reply of more than MaxReply bytes.
	ErrTooLong = errors.New("the reply is too long")
	// ErrNoCode is returned for a reply without Go code in a fence.
	ErrNoCode = errors.New("the reply has no Go code in a fence")
	// ErrDiff is returned for a reply that is a unified diff.
	ErrDiff = errors.New("the reply is a diff, not whole functions")
	// ErrSyntax is returned when the code of a reply, or a file with it in
	// place, does not parse.
	ErrSyntax = errors.New("the code does not parse")
	// ErrElided is returned for code that stands for more than it says:
	// "// rest of function unchanged".
	ErrElided = errors.New("the code leaves something out")
	// ErrNested is returned for code whose nesting would take minutes to format.
	ErrNested = errors.New("the code is nested too deeply")
	// ErrUnknownDecl is returned when none of the declarations exists in the files.
	ErrUnknownDecl = errors.New("the code replaces nothing that exists")
	// ErrAmbiguous is returned when a declaration exists in several places.
	ErrAmbiguous = errors.New("the declaration exists more than once")
	// ErrPartial is returned for a part of a declaration that cannot be
	// replaced in parts, for instance some names of a const group with iota.
	ErrPartial = errors.New("the declaration is incomplete")
	// ErrNoChange is returned when the code is what is there already.
	ErrNoChange = errors.New("the code changes nothing")
	// ErrNoMatch is returned by ReplaceAll for a search text that is in no file.
	ErrNoMatch = errors.New("the search text is not in the file")
	// ErrNoFile is returned by ReplaceAll for a block whose file is none of those
	// that may be changed.
	ErrNoFile = errors.New("the file may not be changed")
)

// ReplyError says why a reply cannot be used.
type ReplyError struct {
	Err  error  // one of the errors above
	Line int    // of the code in its fence, 1-based; 0 where no line is to blame
	Text string // what exactly; may be empty
}

// Error returns the reason and what exactly is wrong.
func (e *ReplyError) Error() string {
	text := e.Err.Error()
	if e.Line > 0 {
		text = fmt.Sprintf("%s: line %d", text, e.Line)
	}
	if e.Text != "" {
		text += ": " + e.Text
	}
	return text
}

// Unwrap returns the reason.
func (e *ReplyError) Unwrap() error { return e.Err }

func refuse(err error, line int, format string, args ...any) error {
	return &ReplyError{Err: err, Line: line, Text: fmt.Sprintf(format, args...)}
}

// fence is a fenced block of a reply.
type fence struct {
	lang string // the first word after the fence, in lower case
	info string // the rest of that line
	text string
}

// splitFences separates a reply's fenced blocks from its prose. An unclosed
// fence reaches to the end.
func splitFences(reply string) (blocks []fence, prose string) {
	var out strings.Builder
	var body []string
	var open string
	var current fence
	for line := range strings.SplitSeq(strings.ReplaceAll(reply, "\r\n", "\n"), "\n") {
		mark := fenceMark(line)
		rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), mark))
		switch {
		case open == "" && mark != "" && !strings.Contains(rest, "`"):
			open, body = mark, nil
			lang, info, _ := strings.Cut(rest, " ")
			current = fence{lang: strings.ToLower(lang), info: strings.TrimSpace(info)}
		case open != "" && mark != "" && mark[0] == open[0] && len(mark) >= len(open) && rest == "":
			current.text = strings.Join(body, "\n") + "\n"
			blocks, open = append(blocks, current), ""
		case open != "":
			body = append(body, line)
		default:
			out.WriteString(line + "\n")
		}
	}
	if open != "" {
		current.text = strings.Join(body, "\n") + "\n"
		blocks = append(blocks, current)
	}
	return blocks, out.String()
}

// fenceMark returns the run of three or more backquotes or tildes that begins
// a line, or nothing.
func fenceMark(line string) string {
	line = strings.TrimSpace(line)
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

var goStart = lazyregexp.New(`(?m)^(package|func|type|var|const|import)[ (]`)

// goFences returns the blocks that hold Go: those named so, or else those
// without a name that look like it, or else the whole reply when it is code.
func goFences(reply string) []fence {
	blocks, _ := splitFences(reply)
	var named, unnamed []fence
	for _, b := range blocks {
		switch lang := strings.TrimFunc(b.lang, func(r rune) bool { return !unicode.IsLetter(r) }); {
		case lang == "go" || lang == "golang" || strings.HasPrefix(b.lang, "go:"):
			named = append(named, b)
		case b.lang == "" && goStart.MatchString(b.text):
			unnamed = append(unnamed, b)
		}
	}
	if len(named) > 0 {
		return named
	}
	if len(unnamed) == 0 && len(blocks) == 0 && goStart.MatchString(reply) {
		whole := fence{text: reply}
		if _, err := parseCode(whole); err == nil {
			return []fence{whole}
		}
	}
	return unnamed
}

var hunkLine = lazyregexp.New(`(?m)^@@ -\d+(,\d+)? \+\d+(,\d+)? @@|^--- \S+.*\n\+\+\+ \S+`)

// looksLikeDiff reports whether a text is a unified diff.
func looksLikeDiff(text string) bool { return hunkLine.MatchString(text) }

// isDiffReply reports whether a reply gives a diff instead of code.
func isDiffReply(reply string) bool {
	blocks, prose := splitFences(reply)
	for _, b := range blocks {
		if b.lang == "diff" || b.lang == "patch" || looksLikeDiff(b.text) {
			return true
		}
	}
	return looksLikeDiff(prose)
}

const (
	maxTitle       = 100  // characters
	maxExplanation = 2000 // characters
)

// ReplyText takes title and explanation from a reply's prose. The title is the
// first sentence of the first paragraph, at most 100 characters; the
// explanation is that paragraph and what follows up to the first code, at most
// 2,000 characters. Both are free of control sequences and may be empty.
func ReplyText(reply string) (title, explanation string) {
	if len(reply) > MaxReply {
		reply = reply[:MaxReply]
	}
	before, _, _ := strings.Cut("\n"+stripControl(reply), "\n```")
	var paragraphs []string
	for p := range strings.SplitSeq(before, "\n\n") {
		if p = plainProse(p); p != "" {
			paragraphs = append(paragraphs, p)
		}
	}
	if len(paragraphs) == 0 {
		_, prose := splitFences(stripControl(reply))
		if p := plainProse(prose); p != "" {
			paragraphs = []string{p}
		}
	}
	if len(paragraphs) == 0 {
		return "", ""
	}
	return shorten(firstSentence(paragraphs[0]), maxTitle), shorten(strings.Join(paragraphs, "\n\n"), maxExplanation)
}

var (
	heading  = lazyregexp.New(`^#{1,6}\s+`)
	emphasis = lazyregexp.New(`\*\*([^*]+)\*\*`)
	label    = lazyregexp.New(`(?i)^(diagnosis|explanation|fix|cause|root cause|problem|summary)\s*:\s*`)
)

// plainProse folds a paragraph into one line without headings and labels.
func plainProse(p string) string {
	var words []string
	for line := range strings.SplitSeq(p, "\n") {
		line = strings.TrimSpace(line)
		if heading.MatchString(line) || strings.HasPrefix(line, "~~~") {
			continue
		}
		words = append(words, strings.Fields(line)...)
	}
	text := emphasis.ReplaceAllString(strings.Join(words, " "), "$1")
	return strings.TrimSpace(label.ReplaceAllString(text, ""))
}

// firstSentence ends at the first full stop that is followed by a space and
// is not in a name such as index.go.
func firstSentence(p string) string {
	for i := 0; i+1 < len(p); i++ {
		if (p[i] == '.' || p[i] == '!' || p[i] == '?') && p[i+1] == ' ' && i > 12 {
			return p[:i]
		}
	}
	return strings.TrimRight(p, ".:")
}

// shorten cuts a text after n characters, visibly.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:n-1])) + "…"
}

var escapes = lazyregexp.New("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b[\\]PX^_][^\x07\x1b]*(\x07|\x1b\\\\)?|\x1b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]")

// stripControl removes terminal escapes, control characters but newline and
// tab, and the marks that turn the direction of writing.
func stripControl(s string) string {
	s = escapes.ReplaceAllString(strings.ToValidUTF8(s, "\uFFFD"), "")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F, r == 0xFEFF:
			return -1
		}
		return r
	}, s)
}
