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
		if short && (len(value) < minPassword || !secretName(name) || isWord(value)) || slices.ContainsFunc(out, func(k known) bool { return k.text == value }) {
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
