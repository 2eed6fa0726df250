package hide

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
)

// instructionLine is a line of the answer to disassemble: its place and address, the bytes of the
// instruction, and its text.
var instructionLine = lazyregexp.New(`^(\S+:\d+\s+0x[0-9a-f]+[* ]\s+)([0-9a-f]+\s+)(.*)$`)

// Code hides in the answer to disassemble what its instructions tell of hidden texts of the
// source, function by function.
func Code(screen *prompts.Screen, lines []session.Line) []session.Line {
	out := slices.Clone(lines)
	var at []int // of the lines of a function
	var function []prompts.Instruction
	end := func() {
		for k, shown := range screen.Instructions(function) {
			if i := at[k]; shown != function[k] {
				m := instructionLine.FindStringSubmatch(out[i].Text)
				out[i].Text = m[1] + strings.Repeat(" ", len(m[2])) + shown.Text
			}
		}
		at, function = nil, nil
	}
	for i, l := range out {
		m := instructionLine.FindStringSubmatch(l.Text)
		if m == nil {
			end()
			continue
		}
		one := prompts.Instruction{Bytes: strings.TrimSpace(m[2]), Text: m[3]}
		if l.Place != nil {
			one.File, one.Line = l.Place.File, l.Place.Line
		}
		at, function = append(at, i), append(function, one)
	}
	end()
	return out
}
