package debugger

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

var space = lazyregexp.New(`\s+`)

// Fingerprint identifies a crash across line moves: its class, the culprit
// function and the faulting statement with its white space folded. The result
// is 16 hexadecimal digits.
func Fingerprint(class Class, function, statement string) string {
	folded := space.ReplaceAllString(strings.TrimSpace(statement), " ")
	sum := sha256.Sum256([]byte(string(class) + "\x00" + WrittenFunction(function) + "\x00" + folded))
	return hex.EncodeToString(sum[:8])
}

// wrapper ends the names of the functions that the compiler puts around a
// deferred call or one in a go statement, and follows those of the functions whose
// loops over functions have bodies of their own.
var wrapper = lazyregexp.New(`\.(deferwrap|gowrap)\d+$|-range\d+`)

// WrittenFunction returns the name of the function as it was written: that of a
// compiler's wrapper, or of the body of a loop, is the function that it is in.
func WrittenFunction(name string) string { return wrapper.ReplaceAllString(name, "") }
