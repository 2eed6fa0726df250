package redact

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
)

// What a name says of its value. The word at its end decides: dbPassword is a password,
// passwordLength is a length. Some words at the end say nothing of what the value is:
// password2, passwordOld and tokenValue are secrets, too.

// neutralWords are these words.
var neutralWords = []string{
	"again", "base", "bytes", "byte", "buf", "confirm", "confirmation", "confirmed", "copy", "cur", "current", "data", "decoded", "decrypted", "default", "dev", "encoded", "env",
	"first", "fallback", "hex", "last", "latest", "literal", "live", "nd", "new", "next", "old", "orig", "original", "pem", "plain", "plaintext", "prev", "previous", "prod",
	"production", "ptr", "raw", "rd", "repeat", "repeated", "s", "second", "st", "staging", "str", "string", "strings", "temp", "text", "th", "tmp", "txt", "val", "value", "values",
}

// relations are words after which a name tells where a value is from, or whose it is.
var relations = []string{"by", "for", "from", "in", "of"}

// neutral reports whether the rest of a name, after the word of a secret, leaves the value
// the secret itself.
func neutral(rest string) bool {
	if rest == "" || rest == "s" || rest == "S" {
		return true
	}
	for i, w := range splitName(rest) {
		switch {
		case strings.Trim(w, digitBytes) == "", len(w) == 1 && 'A' <= w[0] && w[0] <= 'Z', slices.Contains(neutralWords, lower(w)):
		case slices.Contains(relations, lower(w)):
			return i > 0 || wordBegins(rest)
		default:
			return false
		}
	}
	return true
}

const digitBytes = "0123456789"

// wordBegins reports whether a text begins with a word of its own: the rest of "tokenOf"
// does, that of "tokenof" does not.
func wordBegins(rest string) bool { return rest[0] < 'a' || rest[0] > 'z' }

// splitName splits a name into its words and numbers: by signs, at capitals and at digits.
func splitName(name string) (words []string) {
	from := 0
	end := func(to int) {
		if from < to {
			words = append(words, name[from:to])
		}
		from = to
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case !alphaNum[c]:
			end(i)
			from = i + 1
		case i == from:
		case isDigit(c) != isDigit(name[i-1]):
			end(i)
		case isUpper(c) && (!isUpper(name[i-1]) || i+1 < len(name) && !isUpper(name[i+1]) && alphaNum[name[i+1]] && !isDigit(name[i+1])):
			end(i)
		}
	}
	end(len(name))
	return words
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// ending is the word of a list by which a name is that of a value of this kind: what
// follows it is neutral. Empty without one.
func ending(name string, words []string) string {
	low, found := lower(name), ""
	for _, w := range words {
		if i := strings.LastIndex(low, w); i >= 0 && len(w) > len(found) && neutral(name[i+len(w):]) {
			found = w
		}
	}
	return found
}

// wordOf is the word by which a name is that of a secret: "password" for dbPassword2, "pass"
// for DB_PASS; empty without one.
func wordOf(name string) string {
	if w := ending(name, secretWords); w != "" {
		return w
	}
	for _, w := range []string{anchorPass, anchorPW} {
		if i := strings.LastIndex(lower(name), w); i >= 0 && beginsWord(name, i) && neutral(name[i+len(w):]) {
			return w
		}
	}
	return ""
}

// beginsWord reports whether a word of a text begins at a place: that of dbPass does, that
// of compass does not.
func beginsWord(text string, at int) bool {
	if at == 0 || !alphaNum[text[at-1]] {
		return true
	}
	before := text[at-1]
	return isUpper(text[at]) && !isUpper(before)
}

// passwords are those of the words whose secrets are one text that people think of.
var passwords = slices.DeleteFunc(slices.Clone(thoughtOf), func(w string) bool { return strings.HasPrefix(w, "credential") })

// about are words that begin the names of what is about secrets: maxPassword, errPassword.
var about = []string{"max", "min", "maximum", "minimum", "least", "most", "num", "count", "err", "error", "status", "sys"}

// NamesPassword reports whether a name is that of one secret which may be any text: people think
// of them.
func NamesPassword(name string) bool {
	name = printable.Seen(name)
	return ending(name, passwords) != "" && !slices.Contains(about, lower(splitName(name)[0]))
}

// NamesNumber reports whether a number of this name is a secret. Numbers called tokens are counts.
func NamesNumber(name string) bool {
	name = printable.Seen(name[strings.LastIndexByte(name, '.')+1:])
	w := wordOf(name)
	return w != "" && !slices.Contains(about, lower(splitName(name)[0])) && !strings.HasSuffix(lower(name), "tokens")
}

// NamesToken reports whether a name is that of a token, which parsers have, too.
func NamesToken(name string) bool {
	return ending(printable.Seen(name), []string{"token"}) != ""
}

// NamesSecret reports whether a short text may be the name of a secret.
func NamesSecret(text string) bool {
	text = printable.Seen(text)
	return len(text) <= maxName && secretName(text)
}

// secretName reports whether a name is that of a secret.
func secretName(name string) bool {
	found := false
	anchors().each(name, func(which, _ int) { found = found || which < len(secretWords) })
	return found || strings.Contains(strings.ToLower(name), "auth") || wordOf(name) != ""
}

// NamesSecretKey reports whether a type is that of the key by which a secret is stored:
// passwordKey, as in a context.
func NamesSecretKey(typ string) bool {
	name, isKey := strings.CutSuffix(lower(printable.Seen(typ[strings.LastIndexByte(typ, '.')+1:])), "key")
	return isKey && wordOf(name) != ""
}

// IsPassword reports whether a value is the secret that its name says, whatever it looks like:
// it is one that people think of, and neither another name for it nor a directory.
func IsPassword(name, value string) bool {
	name = printable.Seen(name)
	if value == "" || !NamesPassword(name) || strings.HasSuffix(name, "PWD") && directory.MatchString(value) {
		return false
	}
	return !isName(value)
}

// isName reports whether a value is only another name of a secret: that of a field, or of a
// variable of the environment.
func isName(value string) bool {
	plain := separators.Replace(lower(value))
	return slices.Contains(secretWords, plain) || variable.MatchString(value) && !strings.ContainsAny(value, digitBytes) && wordOf(value) != ""
}
