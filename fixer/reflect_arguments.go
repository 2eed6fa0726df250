package fixer

import (
	"fmt"
	"strings"
)

// indexRange: a field or element was asked for that is not there.
func (r *reflection) indexRange() {
	if len(r.call.Args) != 1 {
		return
	}
	index := r.call.Args[0]
	count := map[string]string{"Field": "NumField", "Index": "Len", "In": "NumIn", "Out": "NumOut", "Method": "NumMethod"}[r.method]
	if count == "" {
		return
	}
	r.diagnosis.Sentence = fmt.Sprintf("%s (%s) has no %s %s", r.text(r.recv), r.where(r.call.Pos()), strings.ToLower(r.method), r.text(index))
	anchor := r.anchor()
	if anchor == nil || !isPathOrIndex(index) || !isPath(r.recv) {
		return
	}
	r.guard(r.place, fmt.Sprintf("%s >= %s.%s()", r.text(index), r.text(r.recv), count),
		message{fmt.Sprintf("no %s %%d", strings.ToLower(r.method)), []string{r.text(index)}}, r.text(index))
}
