// Package syntax highlights Go source for the screen: it splits a file into lines of
// spans, each of one kind, and draws them. It knows nothing of panes, diffs or themes;
// colors come from the caller.
//
// It uses go/scanner, not chroma: chroma's Go lexer needs about 400 ms for 5,000 lines,
// go/scanner 13 ms, and the diff and source views repaint on every key.
//
// The tokens come from go/scanner rather than from a lexer of regular
// expressions: chroma's Go lexer needs some 400 ms for a file of 5,000 lines,
// the scanner 4 ms, and it cannot be sent astray by hostile text.
//
// Source is untrusted. Control characters and marks that reorder text are
// dropped, tabs become spaces by column, long lines and files are bounded. What
// comes out is safe to write to a terminal.
package syntax

import (
	"go/token"
	"strings"
)

// Kind says what a span of source is.
type Kind uint8

// The kinds of spans.
const (
	Plain Kind = iota // names, punctuation, space
	Keyword
	String
	Number
	Comment
	Type
	Function
	Builtin
	Operator
	kinds // their number
)

// Span is a run of text of one kind within a line. Its text has no tabs, no line
// endings and no control characters, and begins and ends between graphemes.
type Span struct {
	Text string
	Kind Kind
}

// Bounds on what is colored and kept. Beyond them text stays plain, or ends
// with an ellipsis.
const (
	maxSource = 4 << 20  // bytes of a file that are colored
	maxLexed  = 4 << 10  // bytes of a line that are colored
	maxLine   = 16 << 10 // bytes of a line that are kept
)

// Lines cuts Go source into one entry a line. Tokens over several lines, raw
// strings and comments, keep their kind on each. A last newline opens no further
// line, an empty source has none. Source that is no valid Go is colored as far
// as it goes. It never fails.
func Lines(source string) [][]Span {
	if source == "" {
		return nil
	}
	texts := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	for i, t := range texts {
		texts[i], _ = Expand(t)
	}
	if len(source) > maxSource {
		return plain(texts)
	}
	lexed := make([]string, len(texts))
	for i, t := range texts {
		if len(t) <= maxLexed {
			lexed[i] = t
		}
	}
	lines := cut(strings.Join(lexed, "\n"), len(texts))
	for i, t := range texts {
		if len(t) > maxLexed {
			lines[i] = []Span{{Text: t}}
		} else if !ascii(t) {
			lines[i] = align(t, lines[i])
		}
	}
	return lines
}

func plain(texts []string) [][]Span {
	lines := make([][]Span, len(texts))
	for i, t := range texts {
		if t != "" {
			lines[i] = []Span{{Text: t}}
		}
	}
	return lines
}

// cut scans clean source into lines of spans.
func cut(source string, count int) [][]Span {
	tokens := scan(source)
	b := builder{source: source, lines: make([][]Span, count), spans: make([]Span, 0, 2*len(tokens)+count)}
	for i, t := range tokens {
		b.add(t.start, Plain)
		b.add(t.end, classify(source, tokens, i))
	}
	b.add(len(source), Plain)
	b.end()
	return b.lines
}

// builder distributes spans over lines. All of them are in one list.
type builder struct {
	source string
	to     int // what is before it is in spans
	spans  []Span
	lines  [][]Span
	at     int // the line
	began  int // its first span
	from   int // where the last span begins in source
}

// add adds the source up to a place, which may hold newlines.
func (b *builder) add(to int, k Kind) {
	for b.to < to {
		end := to
		if i := strings.IndexByte(b.source[b.to:to], '\n'); i >= 0 {
			end = b.to + i
		}
		if end > b.to {
			b.piece(end, k)
		}
		if b.to = end; end < to {
			b.end()
			b.to++
		}
	}
}

// piece adds a part of a line, joining it with the span before when they are alike.
func (b *builder) piece(end int, k Kind) {
	if n := len(b.spans); n > b.began && b.spans[n-1].Kind == k {
		b.spans[n-1].Text = b.source[b.from:end]
		return
	}
	b.from = b.to
	b.spans = append(b.spans, Span{Text: b.source[b.to:end], Kind: k})
}

// end ends a line.
func (b *builder) end() {
	if n := len(b.spans); n > b.began {
		b.lines[b.at] = b.spans[b.began:n:n]
		b.began = n
	}
	b.at++
}

// push appends a span, joining it with the one before when they are alike.
func push(line []Span, text string, k Kind) []Span {
	if n := len(line); n > 0 && line[n-1].Kind == k {
		line[n-1].Text += text
		return line
	}
	return append(line, Span{Text: text, Kind: k})
}

// classify tells the kind of one token from itself and its neighbors.
func classify(source string, tokens []lexeme, i int) Kind {
	t := tokens[i]
	switch {
	case t.tok == token.COMMENT:
		return Comment
	case t.tok == token.STRING || t.tok == token.CHAR:
		return String
	case t.tok == token.INT || t.tok == token.FLOAT || t.tok == token.IMAG:
		return Number
	case t.tok.IsKeyword():
		return Keyword
	case t.tok == token.IDENT:
		return name(source, tokens, i)
	}
	switch t.tok {
	case token.LPAREN, token.RPAREN, token.LBRACK, token.RBRACK, token.LBRACE, token.RBRACE,
		token.COMMA, token.PERIOD, token.SEMICOLON, token.COLON, token.ILLEGAL:
		return Plain
	}
	return Operator
}
