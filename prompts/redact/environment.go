package redact

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/glob"
)

// Lengths of the shortest values of an environment that count as secrets: shorter ones
// ("true", "root") are everywhere, and so are words.
const (
	minSecret   = 8
	minPassword = 6 // that is no word
)

const kindEnvironment = "value of the environment"

// environment picks the secret values: by the name of the variable, or because
// they look like a key.
func environment(s Settings, env []string) []known {
	var out []known
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		value = strings.TrimSpace(value)
		short := len(value) < minSecret
		if short && (len(value) < minPassword || !IsPassword(name, value) || isWord(value)) || slices.ContainsFunc(out, func(k known) bool { return k.text == value }) {
			continue
		}
		configured := slices.ContainsFunc(s.Names, func(p string) bool { return glob.Match(strings.ToLower(p), strings.ToLower(name)) })
		path := strings.HasPrefix(value, "/") && !IsPassword(name, value)
		if configured || secretName(name) && !path || looksRandom(value, false) {
			out = append(out, known{value, kindEnvironment})
		}
	}
	return out
}

func isWord(value string) bool { return strings.Trim(value, "abcdefghijklmnopqrstuvwxyz") == "" }

// NamesSecret reports whether a short text may be the name of a secret.
func NamesSecret(text string) bool { return len(text) <= maxName && secretName(text) }

// NamesPassword reports whether a name is that of one secret which may be a number, or any
// text: people think of them.
func NamesPassword(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), "s")
	return slices.ContainsFunc(thoughtOf, func(w string) bool { return strings.HasSuffix(name, w) && !strings.HasPrefix(w, "credential") })
}

// IsPassword reports whether a value is the secret that its name says, whatever it looks like:
// it is one that people think of, and neither another name for it nor a directory.
func IsPassword(name, value string) bool {
	if value == "" || !NamesPassword(name) || strings.HasSuffix(name, "PWD") && directory.MatchString(value) {
		return false
	}
	plain := separators.Replace(lower(value))
	return !slices.ContainsFunc(secretWords, func(w string) bool { return plain == w })
}

// secretName reports whether a name is that of a secret.
func secretName(name string) bool {
	found := false
	anchors().each(name, func(which, _ int) { found = found || which < len(secretWords) })
	return found || strings.Contains(strings.ToLower(name), "auth")
}
