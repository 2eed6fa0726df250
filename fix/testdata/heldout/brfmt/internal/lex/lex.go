package lex

type Kind int

const (
	Word Kind = iota
	Str
	Open
	Close
	End
)

type Tok struct {
	Kind Kind
	Text string
	Line int
}

type stateFn func(*lexer) stateFn

type lexer struct {
	src        string
	start, pos int
	line       int
	toks       []Tok
}

func Scan(src string) []Tok {
	l := &lexer{src: src, line: 1}
	for st := stateFn(lexGap); st != nil; {
		st = st(l)
	}
	return l.toks
}

func (l *lexer) emit(k Kind) {
	l.toks = append(l.toks, Tok{k, l.src[l.start:l.pos], l.line})
	l.start = l.pos
}

func (l *lexer) eof() bool { return l.pos >= len(l.src) }

func lexGap(l *lexer) stateFn {
	for ; !l.eof(); l.pos++ {
		switch c := l.src[l.pos]; c {
		case '\n':
			l.line++
		case ' ', '\t', '\r':
		default:
			l.start = l.pos
			switch c {
			case '"':
				return lexStr
			case '{', '}', ';':
				return lexPunct
			case '#':
				return lexNote
			}
			return lexWord
		}
	}
	return nil
}

func lexPunct(l *lexer) stateFn {
	kinds := map[byte]Kind{'{': Open, '}': Close, ';': End}
	k := kinds[l.src[l.pos]]
	l.pos++
	l.emit(k)
	return lexGap
}

func lexNote(l *lexer) stateFn {
	for !l.eof() && l.src[l.pos] != '\n' {
		l.pos++
	}
	return lexGap
}

func lexStr(l *lexer) stateFn {
	for l.pos++; !l.eof(); l.pos++ {
		switch l.src[l.pos] {
		case '\\':
			l.pos++
		case '"':
			l.pos++
			l.emit(Str)
			return lexGap
		}
	}
	l.pos = len(l.src)
	l.emit(Str)
	return nil
}

func lexWord(l *lexer) stateFn {
	for ; !l.eof(); l.pos++ {
		switch l.src[l.pos] {
		case ' ', '\t', '\r', '\n', '{', '}', ';', '#':
			l.emit(Word)
			return lexGap
		}
	}
	l.emit(Word)
	return nil
}
