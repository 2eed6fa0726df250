package debugger

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

var space = regexp.MustCompile(`\s+`)

// Fingerprint identifies a crash across line moves: its class, the culprit
// function and the faulting statement with its white space folded. The result
// is 16 hexadecimal digits.
func Fingerprint(class Class, function, statement string) string {
	folded := space.ReplaceAllString(strings.TrimSpace(statement), " ")
	sum := sha256.Sum256([]byte(string(class) + "\x00" + function + "\x00" + folded))
	return hex.EncodeToString(sum[:8])
}
