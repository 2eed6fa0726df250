package redact

import (
	"math"
	"slices"
	"strings"
)

const (
	minRandom = 12 // bytes of a text that is looked at
	minBare   = 16 // … without quotes
	maxRandom = 4 << 10
	// minKeyDigits are those of the secret of a private key as package fmt prints it:
	// for P-256 and X25519 they are 77, and 70 for one in ten million.
	minKeyDigits = 70
)

// random finds texts of base64's and hexadecimal's bytes that look random: in
// quotes, or by themselves between spaces and signs, as in a log.
func (s *scan) random() {
	for at := 0; at < len(s.text); {
		if !base64Text[s.text[at]] {
			at++
			continue
		}
		from, to := at, at+1
		for to < len(s.text) && base64Text[s.text[to]] {
			to++
		}
		at = to
		if end := s.dottedRun(from); end > to && isDotted(s.text[from:end]) {
			s.add(from, end, kindRandom)
			at = end
			continue
		}
		if to-from < minRandom {
			continue
		}
		if n := strings.TrimLeft(s.text[from:to], "+-"); len(n) >= minKeyDigits && strings.Trim(n, "0123456789") == "" {
			s.add(to-len(n), to, kindNumber)
			continue
		}
		quoted := s.inQuotes(from, to)
		if !quoted {
			if i := strings.LastIndexByte(strings.TrimRight(s.text[from:to], "="), '='); i >= 0 { // name=value
				from += i + 1
			}
			if to-from < minBare || !s.apart(from, to) {
				continue
			}
		}
		if t := s.text[from:to]; looksRandom(t, !quoted) && !isUUID(t) && (quoted && !isHex(t) || !s.digestNear(from)) {
			s.add(from, to, kindRandom)
		}
	}
}

// What a token of parts between dots has.
const (
	leastDotted = 5 // bytes of a part
	mostDotted  = 6 // parts
)

// dottedRun returns the end of the bytes that a token of parts between dots may
// have, or from where it is none: a text of many short parts is not read to its end
// for each of them.
func (s *scan) dottedRun(from int) int {
	parts, began := 0, from
	to := from
	for ; to < len(s.text) && to-from < maxToken && dotted[s.text[to]]; to++ {
		if s.text[to] != '.' {
			continue
		}
		if n := to - began; n > 0 {
			if parts++; n < leastDotted || parts > mostDotted {
				return from
			}
		}
		began = to + 1
	}
	return to
}

// isDotted reports whether a text is a token of parts between dots, of which the longest
// looks random, as a bot's of Discord.
func isDotted(t string) bool {
	parts := strings.Split(strings.TrimRight(t, "."), ".")
	longest := ""
	for _, p := range parts {
		if len(p) < leastDotted {
			return false
		}
		if len(p) > len(longest) {
			longest = p
		}
	}
	return 3 <= len(parts) && len(parts) <= mostDotted && len(longest) >= 27 && looksRandom(longest, true)
}

func (s *scan) inQuotes(from, to int) bool {
	if from == 0 || to >= len(s.text) || strings.IndexByte("\"'`", s.text[from-1]) < 0 {
		return false
	}
	return s.text[to] == s.text[from-1] || s.text[to] == '\\'
}

// apart reports whether a text stands by itself: not in a path, a number, a
// checksum of go.sum.
func (s *scan) apart(from, to int) bool {
	if from > 0 && s.text[from-1] == ':' && (from < 2 || wordByte[s.text[from-2]]) && strings.HasSuffix(lower(s.text[max(from-8, 0):from-1]), "h1") {
		return false
	}
	if from > 0 && strings.IndexByte(" \t\n\r=:(,[<>|;\"'`", s.text[from-1]) < 0 {
		return false
	}
	return to == len(s.text) || strings.IndexByte(" \t\n\r,)];|<>\"'`\\", s.text[to]) >= 0 || s.text[to] == '.' && (to+1 == len(s.text) || !wordByte[s.text[to+1]])
}

// isUUID reports whether a text has the form of a UUID: those are names.
func isUUID(t string) bool {
	return len(t) == 36 && t[8] == '-' && t[13] == '-' && t[18] == '-' && t[23] == '-' && isHex(t)
}

// before is the line before a place, as far as it is looked at.
func (s *scan) before(at int) string {
	line := s.text[max(at-120, 0):at]
	return lower(line[strings.LastIndexByte(line, '\n')+1:])
}

// digestNear reports whether the line before a text speaks of digests: those are
// no secrets, and look as random.
func (s *scan) digestNear(at int) bool {
	line := s.before(at)
	return slices.ContainsFunc([]string{"sum", "hash", "digest", "sha", "md5", "h1:", "commit", "etag", "revision", "public", "pub", "integrity", "index "},
		func(w string) bool { return strings.Contains(line, w) })
}

func isHex(t string) bool { return strings.Trim(t, "0123456789abcdefABCDEF-") == "" }

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

// looksLikeKey reports whether a value that is given to a name near a secret's
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
