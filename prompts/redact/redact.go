// Package redact removes secrets from a text before it leaves the process.
//
// A secret is recognized by its shape (keys, tokens, URLs with passwords), by
// the name it is given to, by its randomness, because it is in an environment, or
// because the configuration names it. Each secret leaves a mark with a short
// salted hash of it, so that an answer that repeats the mark can be given the secret
// back. Within a process the same text always gives the same marks.
//
// The package must not know a model or the debugger, and stores none of the texts.
package redact

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/internal/glob"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/printable"
)

// Settings say what is hidden in addition to what has the shape of a secret.
type Settings struct {
	// Entropy hides quoted literals that look random.
	Entropy bool
	// Names and Types are of variables and fields whose values are hidden,
	// with * and ?. Names are compared without regard to case; types with their
	// package or without it, without pointers and slices around them.
	Names, Types []string
	// Allow are texts that are no secrets, with * and ?. They do not let values
	// of the environment through.
	Allow []string
}

// Finding is something that was hidden. It never holds the secret.
type Finding struct {
	Kind string `json:"kind"` // "GitHub token", "value of the environment", "given to a secret's name"
	Line int    `json:"line"` // where it stood, from 1
	Mark string `json:"mark"` // what stands there now
}

// Redactor hides secrets. It is safe for concurrent use.
type Redactor struct {
	off      bool
	settings Settings
	values   []known // the values that are hidden wherever they stand
	literals *literals
}

// known is a text that is hidden wherever it stands.
type known struct{ text, kind string }

// New returns a redactor that also knows the values of environments
// ("NAME=value"): of this process, of the target.
func New(s Settings, env []string) *Redactor {
	r := &Redactor{settings: s, values: environment(s, env)}
	r.literals = newLiterals(spelled(r.values))
	return r
}

// Off returns a redactor that hides nothing.
func Off() *Redactor { return &Redactor{off: true} }

// With returns a redactor that also hides these texts wherever they stand:
// parts of values that are hidden by name, secrets of other texts. Very short
// ones are left out, since they stand everywhere. kind is that of the findings.
func (r *Redactor) With(kind string, texts []string) *Redactor {
	if r.off || len(texts) == 0 {
		return r
	}
	more := &Redactor{settings: r.settings, values: slices.Clip(r.values)}
	for _, t := range texts {
		if len(t) >= minHidden {
			more.values = append(more.values, known{t, kind})
		}
	}
	more.literals = newLiterals(spelled(more.values))
	return more
}

// minHidden is the shortest text of a hidden value, in bytes, that is looked
// for elsewhere.
const minHidden = 4

const (
	markStart = "[redacted "
	lenMark   = len(markStart) + len("0a1b2c]")
)

var mark = lazyregexp.New(`\[redacted ([0-9a-f]{6})\]`)

// salt makes marks useless for confirming a guessed secret: each process makes
// its own, and none is stored. Within a session equal secrets have
// equal marks; those in journals of other sessions mean nothing any more.
var salt = sync.OnceValue(func() []byte { return []byte(rand.Text()) })

func markOf(secret string) string {
	mac := hmac.New(sha256.New, salt())
	mac.Write([]byte(secret))
	return markStart + hex.EncodeToString(mac.Sum(nil)[:3]) + "]"
}

// span is a secret within a text.
type span struct {
	from, to int
	kind     string
}

// Text returns a text without its secrets, and what was hidden, in order.
func (r *Redactor) Text(text string) (string, []Finding) {
	if r.off {
		return text, nil
	}
	spans := r.spans(text)
	if len(spans) == 0 {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	found := make([]Finding, 0, len(spans))
	at, line := 0, 1
	for _, s := range spans {
		line += strings.Count(text[at:s.from], "\n")
		b.WriteString(text[at:s.from])
		m := markIn(text, s)
		b.WriteString(m)
		found = append(found, Finding{Kind: s.kind, Line: line, Mark: m})
		line += strings.Count(text[s.from:s.to], "\n")
		at = s.to
	}
	b.WriteString(text[at:])
	return b.String(), found
}

// markIn is what stands for a secret: the mark of a value that was hidden by name stays.
func markIn(text string, s span) string {
	hidden := text[s.from:s.to]
	if s.kind == kindHidden && IsHidden(hidden) {
		return hidden
	}
	return markOf(printable.Seen(hidden))
}

// Lines are the lines of a text without its secrets, by their numbers, from 1. The first line
// of a secret that has several goes on after its last one; the others are left out.
func (r *Redactor) Lines(text string) map[int]string {
	lines := map[int]string{}
	line, began, at := 1, 1, 0
	var b strings.Builder
	shown := func(to int) {
		for part := range strings.SplitAfterSeq(text[at:to], "\n") {
			whole := strings.TrimSuffix(part, "\n")
			b.WriteString(whole)
			if len(whole) < len(part) {
				lines[began] = b.String()
				b.Reset()
				line++
				began = line
			}
		}
	}
	for _, s := range r.spans(text) {
		shown(s.from)
		b.WriteString(markIn(text, s))
		line += strings.Count(text[s.from:s.to], "\n")
		at = s.to
	}
	shown(len(text))
	lines[began] = b.String()
	return lines
}

// Learned are secrets of a text as they are looked for in others: one that is known by its name
// here may stand without it there. They are for With, and must not leave the process.
type Learned struct {
	Secrets []string
	Random  []string // only look random, as identifiers of requests do
	Short   []string // words and numbers that may stand anywhere for something else
}

// Secrets lists the secrets of a text that are long enough to be looked for in others.
func (r *Redactor) Secrets(text string) (list Learned) {
	seen := map[string]bool{}
	for _, s := range r.spans(text) {
		secret := printable.Seen(text[s.from:s.to])
		if s.kind == kindHidden || len(secret) < minHidden || seen[secret] {
			continue
		}
		seen[secret] = true
		switch {
		case !Repeated(secret):
			list.Short = append(list.Short, secret)
		case s.kind == kindRandom:
			list.Random = append(list.Random, secret)
		default:
			list.Secrets = append(list.Secrets, secret)
		}
	}
	return list
}

// Repeated reports whether a secret is looked for where its name does not stand. Short words and
// numbers are everywhere.
func Repeated(secret string) bool { return len(secret) >= minRepeated || isCode(secret) }

// Knows reports whether a text is, holds or lists a secret that is known by its text.
func (r *Redactor) Knows(text string) bool {
	return !r.off && (len(r.literals.find(text)) > 0 || len(r.literals.listed(text)) > 0)
}

// Hidden are the parts of a text that Text hides, in order: where they begin and end.
func (r *Redactor) Hidden(text string) (parts [][2]int) {
	for _, s := range r.spans(text) {
		parts = append(parts, [2]int{s.from, s.to})
	}
	return parts
}

// Restore puts the secrets that are in the sources back into a text that holds their marks, and
// lists them. It reports whether marks remain: their secret is in none, or too short to be found
// again in what comes of the text.
func (r *Redactor) Restore(text string, sources ...string) (restored string, back []string, lost bool) {
	if !mark.MatchString(text) {
		return text, nil, false
	}
	secrets := map[string]string{}
	for _, src := range sources {
		for _, s := range r.spans(src) {
			secrets[markIn(src, s)] = src[s.from:s.to]
		}
	}
	restored = mark.ReplaceAllStringFunc(text, func(m string) string {
		secret := secrets[m]
		if len(secret) < minHidden {
			lost = true
			return m
		}
		back = append(back, secret)
		return secret
	})
	return restored, back, lost
}

// view is a text as it is read in one way.
type view struct {
	text   string
	known  bool                          // only for what is known, not for what has a form
	origin func(from, to int) (int, int) // where a part is in the text
}

// views are the text as it is, what a terminal shows of it, since programs print in color, and
// each of these with what is written out in it: as URLs, pages and literals have it.
func views(text string) []view {
	same := func(from, to int) (int, int) { return from, to }
	list := []view{{text: text, origin: same}}
	add := func(v view) {
		if !slices.ContainsFunc(list, func(o view) bool { return o.text == v.text && (v.known || !o.known) }) {
			list = append(list, v)
		}
	}
	shown := func(v view) {
		add(v)
		for _, r := range printable.Readings(v.text) {
			add(view{r.Text, v.known, func(from, to int) (int, int) { return v.origin(r.Origin(from, to)) }})
		}
	}
	shown(list[0])
	if d, written := printable.Decoded(text, false); written {
		shown(view{d.Text, false, d.Origin})
	}
	if d, written := printable.Decoded(text, true); written || strings.Contains(text, "+") {
		shown(view{plusAsBlank(d.Text), true, d.Origin})
	}
	return list
}

// spans finds the secrets of a text, sorted and apart from each other. A span of what a terminal
// shows includes the control sequences inside it.
func (r *Redactor) spans(text string) []span {
	if r.off {
		return nil
	}
	all := views(text)
	found := make([][]span, len(all))
	again := repeats{seen: map[string]bool{}}
	for i, v := range all {
		if !v.known {
			found[i] = append(r.shapes(v.text), hiddenMarks(v.text)...)
		}
		found[i] = apart(unmarked(v.text, append(append(found[i], r.literals.find(v.text)...), r.literals.listed(v.text)...)))
		again.add(v.text, found[i])
	}
	elsewhere := again.literals()
	var spans []span
	for i, v := range all {
		if elsewhere != nil {
			found[i] = unmarked(v.text, append(append(elsewhere.find(v.text), elsewhere.listed(v.text)...), found[i]...))
		}
		for _, s := range found[i] {
			s.from, s.to = v.origin(s.from, s.to)
			spans = append(spans, s)
		}
	}
	return apart(spans)
}

// plusAsBlank is a decoded text as what is known is looked for in it: in URLs, a plus stands for a blank.
func plusAsBlank(decoded string) string { return strings.ReplaceAll(decoded, "+", " ") }

// unmarked leaves out what is empty, and marks: those are no secrets, but what is around them is.
func unmarked(text string, spans []span) []span {
	var out []span
	for _, s := range spans {
		if s.from >= s.to {
			continue
		}
		first := max(s.from-lenMark, 0)
		near := text[first:min(s.to+lenMark, len(text))]
		if s.kind == kindHidden || !strings.Contains(near, markStart) {
			out = append(out, s)
			continue
		}
		rest := func(from, to int) {
			if from < to && (to-from == s.to-s.from || len(strings.Trim(text[from:to], signBytes)) >= minValue) {
				out = append(out, span{from, to, s.kind})
			}
		}
		at := s.from
		for _, m := range mark.FindAllStringIndex(near, -1) {
			if m[0]+first < s.to && m[1]+first > at {
				rest(at, m[0]+first)
				at = m[1] + first
			}
		}
		rest(at, s.to)
	}
	return out
}

const signBytes = " \t\r\n,;:=&\"'`\\()[]{}<>/@"

// apart sorts spans and joins those that overlap.
func apart(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.from < out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			if out[n-1].kind == kindRandom && s.kind != kindHidden { // which says less
				out[n-1].kind = s.kind
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

const (
	minRepeated = 8        // a shorter word or number is hidden only where its name stands
	maxRepeated = 64 << 10 // bytes of secrets that are looked for elsewhere in the text
)

// repeats are what was found in a text, as it is looked for in all of it: a secret that is known
// by its name may be there without it.
type repeats struct {
	seen  map[string]bool
	known []known
}

func (a *repeats) add(text string, found []span) {
	for _, s := range found {
		secret := text[s.from:s.to]
		if len(secret) < minHidden || !Repeated(secret) || a.seen[secret] || strings.HasPrefix(secret, hiddenStart) {
			continue
		}
		a.seen[secret] = true
		a.known = append(a.known, known{secret, s.kind})
	}
}

// literals finds them; nil for none. What only looks random, of which there may be much, comes last.
func (a *repeats) literals() *literals {
	slices.SortStableFunc(a.known, func(x, y known) int {
		if random := x.kind == kindRandom; random != (y.kind == kindRandom) {
			return map[bool]int{true: 1, false: -1}[random]
		}
		return len(x.text) - len(y.text)
	})
	size := 0
	again := slices.DeleteFunc(a.known, func(k known) bool {
		fits := size+len(k.text) <= maxRepeated
		if fits {
			size += len(k.text)
		}
		return !fits
	})
	if len(again) == 0 {
		return nil
	}
	return newLiterals(spelled(again))
}

// allowed reports whether the settings say that a text is no secret.
func (r *Redactor) allowed(text string) bool {
	return slices.ContainsFunc(r.settings.Allow, func(p string) bool { return glob.Match(p, text) })
}
