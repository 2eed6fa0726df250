package matrix

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// decoder reads parts one after the other, in the same memory.
type decoder struct {
	part  []byte
	list  []Result
	words map[string]string // few are different
}

// maxWords bounds the different words that are held.
const maxWords = 10_000

// lines reads results, one a line. They are good until the next part.
func (d *decoder) lines() ([]Result, error) {
	list := d.list[:0]
	if d.words == nil || len(d.words) > maxWords {
		d.words = map[string]string{}
	}
	for line := range bytes.Lines(d.part) {
		list = append(list, Result{})
		r := &list[len(list)-1]
		s := scanner{rest: line, words: d.words}
		if s.result(r) && (len(s.rest) == 0 || s.rest[0] == '\n') {
			continue
		}
		*r = Result{}
		if err := json.Unmarshal(line, r); err != nil {
			return nil, fmt.Errorf("read the results: %w: %.80q", err, line)
		}
	}
	d.list = list
	return list, nil
}

// scanner reads the JSON that this package writes: objects of numbers, plain
// strings, and such objects. It gives up on all other, which encoding/json reads.
// A million results would take that several seconds.
type scanner struct {
	rest  []byte
	words map[string]string
}

func (s *scanner) result(r *Result) bool {
	return s.object(func(key []byte) bool {
		switch string(key) {
		case "col":
			return s.int(&r.Column)
		case "case":
			return s.int(&r.Case)
		case "trial":
			return s.int(&r.Trial)
		case "flags":
			n, ok := s.number()
			r.Flags = Flags(n)
			return ok && n >= 0 && n < 1<<32
		case "model_labels":
			return s.labels(&r.Model)
		case "builtin_labels":
			return s.labels(&r.Builtin)
		case "effect":
			return s.text(&r.Effect)
		case "used":
			return s.text(&r.Used)
		case "answer":
			return s.text(&r.Answer)
		}
		return s.measure(string(key), r)
	})
}

// measure reads one of the numbers of a result.
func (s *scanner) measure(key string, r *Result) bool {
	switch key {
	case "edit":
		return s.int(&r.Edit)
	case "requests":
		return s.int(&r.Requests)
	case "rounds":
		return s.int(&r.Rounds)
	case "lookups":
		return s.int(&r.Lookups)
	case "prompt_tokens":
		return s.int(&r.PromptTokens)
	case "tokens":
		return s.int(&r.Tokens)
	case "drifted":
		return s.int(&r.Drifted)
	case "cost":
		return s.long(&r.Cost)
	case "first_token_ms":
		return s.long(&r.FirstToken)
	case "answering_ms":
		return s.long(&r.Answering)
	case "verified_ms":
		return s.long(&r.Verifying)
	case "total_ms":
		return s.long(&r.Total)
	case "overhead_us":
		return s.long(&r.Overhead)
	}
	return false
}

func (s *scanner) labels(l *Labels) bool {
	return s.object(func(key []byte) bool {
		switch string(key) {
		case "hides":
			return s.int(&l.Hides)
		case "skips":
			return s.int(&l.Skips)
		case "declines":
			return s.int(&l.Declines)
		case "asks":
			return s.int(&l.Asks)
		case "all":
			return s.int(&l.All)
		}
		return false
	})
}

// object reads an object; value reads what comes after a key.
func (s *scanner) object(value func(key []byte) bool) bool {
	if !s.next('{') {
		return false
	}
	for first := true; ; first = false {
		if s.next('}') {
			return true
		}
		if !first && !s.next(',') {
			return false
		}
		key, ok := s.quoted()
		if !ok || !s.next(':') || !value(key) {
			return false
		}
	}
}

// next reads a character, if it comes next.
func (s *scanner) next(c byte) bool {
	if len(s.rest) == 0 || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// quoted reads a string that needs no unescaping.
func (s *scanner) quoted() ([]byte, bool) {
	if !s.next('"') {
		return nil, false
	}
	end := bytes.IndexByte(s.rest, '"')
	if end < 0 || bytes.IndexByte(s.rest[:end], '\\') >= 0 {
		return nil, false
	}
	text := s.rest[:end]
	s.rest = s.rest[end+1:]
	return text, true
}

func (s *scanner) text(into *string) bool {
	text, ok := s.quoted()
	if !ok {
		return false
	}
	word, known := s.words[string(text)]
	if !known {
		word = string(text)
		s.words[word] = word
	}
	*into = word
	return true
}

// number reads a whole number of up to 18 digits.
func (s *scanner) number() (int64, bool) {
	minus := s.next('-')
	n, at := int64(0), 0
	for at < len(s.rest) && s.rest[at] >= '0' && s.rest[at] <= '9' {
		n = 10*n + int64(s.rest[at]-'0')
		at++
	}
	s.rest = s.rest[at:]
	if minus {
		n = -n
	}
	return n, at > 0 && at <= 18 && (len(s.rest) == 0 || s.rest[0] == ',' || s.rest[0] == '}')
}

func (s *scanner) long(into *int64) bool {
	n, ok := s.number()
	*into = n
	return ok
}

func (s *scanner) int(into *int) bool {
	n, ok := s.number()
	*into = int(n)
	return ok
}

// cellOf reads the cell that a line begins with; false where it does not.
func cellOf(line []byte) (c Cell, ok bool) {
	s := scanner{rest: line}
	if !s.next('{') {
		return c, false
	}
	for _, f := range []struct {
		key  string
		into *int
	}{{"col", &c.Column}, {"case", &c.Case}, {"trial", &c.Trial}} {
		key, quoted := s.quoted()
		if !quoted || string(key) != f.key || !s.next(':') || !s.int(f.into) || !s.next(',') {
			return c, false
		}
	}
	return c, true
}
