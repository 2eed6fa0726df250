// Package glob matches names against patterns, which may come from a repository:
// time grows at most with the product of their lengths. It must not know paths;
// a slash is a byte like others.
package glob

// Match reports whether a name is of a pattern in which * matches any text
// and ? for one byte; everything else matches itself, slashes too.
func Match(pattern, name string) bool {
	p, n, star, from := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
