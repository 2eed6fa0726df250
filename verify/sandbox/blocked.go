package sandbox

import (
	"regexp"
	"slices"
	"strings"
)

// refusals are the words of errors that a sandbox causes.
var refusals = []struct {
	what    string
	pattern *regexp.Regexp
}{
	{"network", regexp.MustCompile(`network is unreachable|no such host|server misbehaving|[Tt]emporary failure in name resolution|cannot assign requested address|dial (tcp|udp|unix)[^\n]*(connection refused|no such file|permission denied|i/o timeout)`)},
	{"files", regexp.MustCompile(`read-only file system|no space left on device|file too large|file size limit exceeded`)},
	{"rights", regexp.MustCompile(`permission denied|operation not permitted`)},
	{"home directory", regexp.MustCompile(`/(home|root|run)/[^\n]*no such file or directory`)},
	{"memory", regexp.MustCompile(`cannot allocate memory|out of memory|failed to allocate`)},
	{"processes", regexp.MustCompile(`resource temporarily unavailable`)},
}

// Blocked finds lines that speak of a refusal, the first few of each kind.
func Blocked(output []byte) []string {
	const most, width = 5, 160
	var found []string
	for line := range strings.Lines(string(output)) {
		for _, r := range refusals {
			if !r.pattern.MatchString(line) {
				continue
			}
			line = strings.TrimSpace(line)
			entry := r.what + ": " + strings.ToValidUTF8(line[:min(len(line), width)], "")
			if !slices.Contains(found, entry) {
				found = append(found, entry)
			}
			break
		}
		if len(found) >= most {
			break
		}
	}
	return found
}
