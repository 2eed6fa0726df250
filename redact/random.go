package redact

import (
	"math"
	"strings"
)

const (
	minRandom = 24 // bytes of a literal that is looked at
	maxRandom = 4 << 10
)

// random finds quoted literals of base64's and hexadecimal's bytes that look
// random. Hexadecimal ones are mostly digests, which are no secrets: they count
// only beside a word that speaks of secrets.
func (s *scan) random() {
	text := s.text
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], '"')
		if i < 0 {
			return
		}
		from := at + i + 1
		to := from
		for to < len(text) && to-from < maxRandom && base64Text[text[to]] {
			to++
		}
		at = max(to, from)
		if to-from < minRandom || to >= len(text) || text[to] != '"' {
			continue
		}
		literal := text[from:to]
		if !looksRandom(literal) || isHex(literal) && !s.nearSecret(from) {
			continue
		}
		s.add(from, to, kindRandom)
	}
}

// nearSecret tells whether the line before a literal speaks of secrets and not
// of digests.
func (s *scan) nearSecret(at int) bool {
	line := s.text[max(at-120, 0):at]
	line = lower(line[strings.LastIndexByte(line, '\n')+1:])
	for _, w := range []string{"sum", "hash", "digest", "sha", "md5", "commit", "etag", "revision", "public", "pub"} {
		if strings.Contains(line, w) {
			return false
		}
	}
	for _, w := range []string{"key", "secret", "token", "auth", "pass", "salt", "seed", "cred", "session", "cookie", "sign"} {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}

func isHex(t string) bool { return strings.Trim(t, "0123456789abcdefABCDEF-") == "" }

// looksRandom tells whether a text of base64's bytes was made by a generator
// and not by a person: enough different bytes for its length, and letters and
// digits that change their kind as often as chance has it. Words, paths and
// alphabets do not.
func looksRandom(t string) bool {
	t = strings.TrimRight(t, "=")
	if len(t) < minRandom || len(t) > maxRandom {
		return false
	}
	var count [256]int
	var kinds [4]int
	changes, last := 0, -1
	for i := range len(t) {
		count[t[i]]++
		k := kindOf(t[i])
		kinds[k]++
		if k != last && last >= 0 {
			changes++
		}
		last = k
	}
	if kinds[3] > len(t)/6 { // signs: a path, a list of words
		return false
	}
	rate := float64(changes) / float64(len(t)-1)
	if isHex(t) {
		return kinds[2] >= 4 && kinds[0]+kinds[1] >= 4 && rate >= 0.25 && entropy(count, len(t)) >= 3
	}
	return kinds[0] >= 3 && kinds[1] >= 3 && kinds[2] >= 1 && rate >= 0.38 && !words(t) && entropy(count, len(t)) >= 0.84*math.Log2(float64(min(len(t), 64)))
}

// words tells whether much of a text stands in runs of lower case, as in names
// of several words.
func words(t string) bool {
	inRuns, run := 0, 0
	for i := range len(t) + 1 {
		if i < len(t) && kindOf(t[i]) == 0 {
			run++
			continue
		}
		if run >= 4 {
			inRuns += run
		}
		run = 0
	}
	return inRuns*10 > len(t)*3
}

// kindOf is 0 for lower case, 1 for upper case, 2 for digits, 3 for the rest.
func kindOf(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return 0
	case 'A' <= c && c <= 'Z':
		return 1
	case '0' <= c && c <= '9':
		return 2
	}
	return 3
}

// entropy is Shannon's, in bits a byte.
func entropy(count [256]int, n int) float64 {
	bits := 0.0
	for _, c := range count {
		if c > 0 {
			p := float64(c) / float64(n)
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// looksLikeKey tells whether a value that is given to a name near a secret's
// is one: long, without spaces, of letters and digits.
func looksLikeKey(t string) bool {
	if len(t) < 16 || strings.ContainsAny(t, " /:.,") {
		return false
	}
	var count [256]int
	digits := 0
	for i := range len(t) {
		count[t[i]]++
		if kindOf(t[i]) == 2 {
			digits++
		}
	}
	return digits >= 3 && entropy(count, len(t)) >= 3.2
}
