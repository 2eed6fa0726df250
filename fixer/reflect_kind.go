package fixer

import (
	"fmt"
)

// wrongKind: the method is for values of another kind.
func (r *reflection) wrongKind(kind string) {
	text := r.text(r.recv)
	r.diagnosis.Sentence = fmt.Sprintf("%s is %s, for which there is no %s (%s)", text, kindWord(kind), r.method, r.where(r.call.Pos()))
	switch r.method {
	case "IsNil":
	case "Elem":
		r.passPointer()
	default:
	}
}

func kindWord(kind string) string {
	switch kind {
	case "ptr":
		return "a pointer"
	case "func":
		return "a function"
	}
	return withArticle(kind)
}

// wrongType: the same for a reflect.Type.
func (r *reflection) wrongType(typ string) {
	text := r.text(r.recv)
	r.diagnosis.Sentence = fmt.Sprintf("%s is %s, for which there is no %s (%s)", text, typ, r.method, r.where(r.call.Pos()))
	if r.method == "Elem" {
		r.passPointer()
	}
}
