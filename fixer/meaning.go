package fixer

import (
	"go/types"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// meant is what the code itself says should happen in a case: a test, or the
// check after another call of the same function.
type meant struct {
	lines   string // statements that leave the function, or the iteration of a loop
	imports []string
	how     string // completes "… and": "returns 0"
	grounds string // what says so
	weight  weight
}

var mayBeNil = lazyregexp.New(`(?i)\b(nil|optional|may be (empty|unset|absent|missing)|unset|not set)\b`)

// saysNil reports whether the comment on a field speaks of nil. It only holds a
// fix back: the author may want the field to stay nil.
func (f *facts) saysNil(field *types.Var) bool {
	for _, s := range f.saidOfField(field) {
		if mayBeNil.MatchString(s.text) {
			return true
		}
	}
	return false
}
