package printable

import "unicode/utf8"

// Cut is the first n bytes of s, or a few fewer where a character would be cut in
// half. Bytes that are part of no character stay: they are data.
func Cut(s string, n int) string {
	if n = max(n, 0); len(s) <= n {
		return s
	}
	for i := n; i >= 0 && n-i < utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if _, size := utf8.DecodeRuneInString(s[i:]); i+size > n {
				return s[:i]
			}
			break
		}
	}
	return s[:n]
}
