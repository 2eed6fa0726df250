package redact

import "strings"

//go:generate go run genbigrams.go

// symbols are what the table of bigrams tells apart: letters of both cases,
// digits, everything else.
const (
	symbols = 54
	noWord  = symbols - 1
)

func symbolOf(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return int(c - 'a')
	case 'A' <= c && c <= 'Z':
		return 26 + int(c-'A')
	case '0' <= c && c <= '9':
		return 52
	}
	return noWord
}

// unlikely is how unusual a text is among what people write in programs: the
// bits that each character takes, on average, where what comes before is known.
// Words and names take about four, what a generator makes six and more.
func unlikely(t string) float64 {
	sum, last := 0, noWord
	for i := range len(t) {
		k := symbolOf(t[i])
		sum += int(bigrams[last*symbols+k] - ' ')
		last = k
	}
	return float64(sum) / 6 / float64(max(len(t), 1))
}

// The least bits a character of what a generator made, by what it is made of:
// the fewer kinds, the fewer there can be. Chosen so that of each kind nineteen in
// twenty are found at 20 characters; TestRandomIsMeasured tells the rest.
const (
	leastHex   = 4.6
	leastLower = 6.0
	leastMixed = 6.2
	// Without quotes a text may be a name.
	leastBareLower = 6.4
	leastBareMixed = 6.8
)

// looksRandom reports whether a text of base64's bytes was made by a generator
// and not by a person. bare texts stand without quotes.
func looksRandom(t string, bare bool) bool {
	t = strings.TrimRight(t, "=")
	if len(t) < minRandom || len(t) > maxRandom {
		return false
	}
	var count [256]int
	var kinds [4]int
	steps := 0
	for i := range len(t) {
		count[t[i]]++
		kinds[kindOf(t[i])]++
		if i > 0 && t[i]-t[i-1]+1 <= 2 { // the same again, or a neighbor: alphabets, fillings
			steps++
		}
	}
	if kinds[3] > len(t)/6 || steps*3 > len(t) || entropy(count, len(t)) < 2.8 {
		return false
	}
	bits := unlikely(t)
	switch {
	case isHex(t):
		return kinds[2] >= 2 && kinds[0]+kinds[1] >= 2 && (kinds[0] == 0 || kinds[1] == 0) && len(t) <= maxHex && bits >= leastHex
	case kinds[2] == 0 && (kinds[0] == 0 || kinds[1] == 0):
		return bits >= leastLower && !bare || bits >= leastBareLower
	}
	return bits >= leastMixed && !bare || bits >= leastBareMixed
}

// maxHex is the longest hexadecimal text that counts, in bytes: longer ones are
// data.
const maxHex = 128
