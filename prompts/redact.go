package prompts

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"slices"
	"strings"
)

// redactor replaces secrets by marks. A mark carries six digits of the secret's
// hash, so that a reply that repeats it can be given the secret back.
type redactor struct {
	values []string // of the environment, the longest first
}

var secretName = regexp.MustCompile(`(?i)(secret|passwo?r?d|passphrase|token|api_?key|access_?key|private_?key|credential|auth)`)

// minSecret is the shortest value of the environment that counts as a secret:
// shorter ones ("true", "root") are everywhere.
const minSecret = 8

// newRedactor knows the values of an environment ("NAME=value") whose names
// look secret.
func newRedactor(env []string) *redactor {
	r := &redactor{}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if secretName.MatchString(name) && len(value) >= minSecret && !strings.HasPrefix(value, "/") {
			r.values = append(r.values, value)
		}
	}
	slices.SortFunc(r.values, func(a, b string) int { return len(b) - len(a) })
	return r
}

// tokenPatterns are the shapes of common tokens. Where a pattern has a group,
// the group is the secret.
var tokenPatterns = []*regexp.Regexp{
	regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[^"\x60]*?(?:-----END [A-Z ]*PRIVATE KEY-----|["\x60]|\z)`),
	regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`),
	regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{20,}\b|\bgithub_pat_[A-Za-z0-9_]{20,}\b|\bglpat-[A-Za-z0-9_-]{20,}`),
	regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{20,}|\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}\b`),
	regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{10,}`),
	regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`),
	regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`),
	regexp.MustCompile(`(?i)\bbearer\s+([A-Za-z0-9._~+/-]{16,}=*)`),
	regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^/\s:@"]*:([^/\s:@"]{3,})@`),
	// A quoted literal that is given to something with a secret's name; code
	// such as token := next() stays.
	regexp.MustCompile(`(?i)[\w.]*(?:secret|passw(?:or)?d|passphrase|token|api_?key|access_?key|private_?key)\w*["']?(?:\s+string)?\s*(?::=|=>|=|:)\s*"([^"\n]{6,})"`),
}

const markStart = "[redacted "

var mark = regexp.MustCompile(`\[redacted ([0-9a-f]{6})\]`)

// Redact takes secrets out of a text: values of this process's environment
// whose names look secret, and what has the shape of a common token. It
// returns how many it found; each leaves "[redacted xxxxxx]".
func Redact(text string) (string, int) { return newRedactor(os.Environ()).redact(text) }

func (r *redactor) redact(text string) (string, int) {
	n := 0
	for _, secret := range r.find(text) {
		n += strings.Count(text, secret)
		text = strings.ReplaceAll(text, secret, markOf(secret))
	}
	return text, n
}

// find lists the secrets in a text, each once.
func (r *redactor) find(text string) []string {
	var found []string
	add := func(s string) {
		if s != "" && !strings.Contains(s, markStart) && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	for _, v := range r.values {
		if strings.Contains(text, v) {
			add(v)
		}
	}
	for _, p := range tokenPatterns {
		for _, m := range p.FindAllStringSubmatch(text, -1) {
			add(m[len(m)-1])
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return len(b) - len(a) })
	return found
}

func markOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return markStart + hex.EncodeToString(sum[:3]) + "]"
}

// restore puts the secrets that stand in the sources back into a reply. It
// tells whether marks remain whose secret is in none of them.
func (r *redactor) restore(reply string, sources map[string]string) (string, bool) {
	if !mark.MatchString(reply) {
		return reply, false
	}
	for _, src := range sources {
		for _, secret := range r.find(src) {
			reply = strings.ReplaceAll(reply, markOf(secret), secret)
		}
	}
	return reply, mark.MatchString(reply)
}
