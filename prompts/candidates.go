package prompts

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
)

// ErrRedacted is returned for code that holds the mark of a secret which is
// not in the files.
var ErrRedacted = errors.New("the code holds the mark of a redacted secret")

// ErrNotEditable is returned for a reply that changes a file which no fix may
// change: a test, one outside of the user's modules, also through a symbolic
// link, or a vendored one.
var ErrNotEditable = errors.New("the file must not be changed")

// ErrNoSource is returned when no source of the stop's own can be read.
var ErrNoSource = errors.New("no source of the user's modules is in the stack")

// Candidates makes a candidate of a model's reply: its code is spliced into the
// files, on disk, of the culprit's package, of its callers' packages, and of
// the user's other packages, in this order. The error of a reply that cannot be
// used is a *patch.ReplyError (also for ErrNotEditable) or ErrRedacted; Complaint puts it into words.
func Candidates(reply string, c evidence.Case, src patch.Source) ([]patch.Candidate, error) {
	return NewScreen(defaultRedactor(nil)).Candidates(reply, c, src)
}

// Candidates is the function of that name for a reply to a prompt that this
// screen was before: it gives the code back the secrets that were taken out.
func (s *Screen) Candidates(reply string, c evidence.Case, src patch.Source) ([]patch.Candidate, error) {
	if len(reply) > patch.MaxReply {
		return nil, &patch.ReplyError{Err: patch.ErrTooLong, Text: fmt.Sprintf("%d bytes; at most %d", len(reply), patch.MaxReply)}
	}
	reply = withoutThinking(reply)
	prefer, files := targets(c)
	if len(files) == 0 {
		return nil, ErrNoSource
	}
	restored, back, lost := s.current().Restore(reply, slices.Collect(maps.Values(files))...)
	if lost {
		return nil, ErrRedacted
	}
	s.remember(&s.short, back)
	spliced, err := splice(asWritten(restored), prefer, files)
	if err != nil {
		return nil, err
	}
	if err := editable(spliced.Edits, c); err != nil {
		return nil, err
	}
	title, explanation := patch.ReplyText(reply)
	if title == "" {
		title = "change " + describe(spliced)
	}
	return []patch.Candidate{{
		Source: src, Title: title, Explanation: explanation, Edits: spliced.Edits,
		Warnings: append(spliced.Warnings, offStack(spliced, c)...),
	}}, nil
}

// thinkingEnds is the mark, at the end of a line, after which a model that thinks
// aloud begins to answer. Some servers leave out the one it begins with.
var thinkingEnds = lazyregexp.New(`(?mi)</(?:think|thinking|thought|reasoning)>[ \t\r]*$`)

// withoutThinking drops what a model thought aloud before its answer: the code
// in it was given up again. A reply that is nothing else stays as it is.
func withoutThinking(reply string) string {
	marks := thinkingEnds.FindAllStringIndex(reply, -1)
	if len(marks) == 0 {
		return reply
	}
	if answer := reply[marks[len(marks)-1][1]:]; strings.TrimSpace(answer) != "" {
		return answer
	}
	return reply
}

// editable holds every edit to the files of the user's modules.
func editable(edits []patch.Edit, c evidence.Case) error {
	for _, e := range edits {
		if strings.HasSuffix(e.File, "_test.go") {
			return &patch.ReplyError{Err: ErrNotEditable, Text: e.File + " is a test, which says what was meant"}
		}
		if _, err := c.Workspace.Editable(e.File); err != nil {
			return &patch.ReplyError{Err: ErrNotEditable, Text: err.Error()}
		}
	}
	return nil
}

func splice(reply, prefer string, files map[string]string) (patch.Spliced, error) {
	if patch.HasBlocks(reply) {
		edits, err := patch.ReplaceAll(files, reply)
		return patch.Spliced{Edits: edits}, err
	}
	return patch.Splicer{Prefer: prefer}.Splice(files, reply)
}

// describe names what was changed.
func describe(s patch.Spliced) string {
	var names []string
	for _, id := range slices.Concat(s.Replaced, s.Added) {
		names = append(names, id[strings.Index(id, ": ")+2:])
	}
	if len(names) == 0 {
		for _, e := range s.Edits {
			names = append(names, e.File)
		}
	}
	return strings.Join(names, ", ")
}

// offStack warns of changed functions that took no part in the stop: they may
// be unrelated. The function that the diagnosis blames takes part.
func offStack(s patch.Spliced, c evidence.Case) []string {
	srcs := newSources(c)
	part := map[string]bool{}
	note := func(file string, line int) {
		if fn, ok := srcs.funcAt(file, line); ok {
			part[c.Workspace.Rel(file)+": "+patch.FuncKey(fn.decl)] = true
		}
	}
	for _, f := range c.Stop.Frames {
		if f.User {
			note(f.File, f.Line)
		}
	}
	if file, number, ok := strings.Cut(c.Diagnosis.Origin, ":"); ok {
		var line int
		if _, err := fmt.Sscan(number, &line); err == nil {
			note(c.Workspace.Abs(file), line)
		}
	}
	touched := slices.ContainsFunc(s.Replaced, func(id string) bool { return part[id] })
	var warnings []string
	for _, id := range s.Replaced {
		if touched && !part[id] {
			warnings = append(warnings, "also changes "+id[strings.Index(id, ": ")+2:]+", which is not on the stack")
		}
	}
	return warnings
}

const (
	maxTargets     = 3000     // files
	maxTargetBytes = 32 << 20 // of all files together
)

// targets reads the files that a reply may change, by their path relative to
// the root. prefer is the culprit's file.
func targets(c evidence.Case) (prefer string, files map[string]string) {
	srcs := newSources(c)
	files = map[string]string{}
	size := 0
	add := func(names []string) {
		for _, name := range names {
			rel := c.Workspace.Rel(name)
			if _, have := files[rel]; have || !c.Workspace.Owns(name) || len(files) >= maxTargets || size >= maxTargetBytes {
				continue
			}
			if text, ok := readFile(name); ok {
				files[rel] = text
				size += len(text)
			}
		}
	}
	at := culprit(c.Stop)
	if at >= 0 {
		prefer = c.Workspace.Rel(c.Stop.Frames[at].File)
		add(srcs.packageFiles(c.Stop.Frames[at].File))
	}
	for _, f := range c.Stop.Frames {
		if f.User {
			add(srcs.packageFiles(f.File))
		}
	}
	if file, _, ok := strings.Cut(c.Diagnosis.Origin, ":"); ok {
		add(srcs.packageFiles(c.Workspace.Abs(file)))
	}
	if c.Code != nil {
		for _, p := range c.Code.Packages {
			for _, name := range p.GoFiles {
				if !strings.HasSuffix(filepath.Base(name), "_test.go") {
					add([]string{name})
				}
			}
		}
	}
	return prefer, files
}

// maxReason bounds what is said of an error, in bytes.
const maxReason = 600

// wanted is how a reply of each format looks.
var wanted = map[Format]string{
	Functions:     "Answer again: one sentence of diagnosis, then the complete function or functions in one ```go block, from func to the closing brace, nothing left out.",
	SearchReplace: "Answer again: one sentence of diagnosis, then the blocks: the file's name, <<<<<<< SEARCH, lines copied from that file, =======, what they become, >>>>>>> REPLACE.",
}

// Complaint is what goes back to a model, once, when its reply cannot be used:
// the exact reason and what the profile's format wants.
func (p Profile) Complaint(err error) string {
	reason := manyLines(err.Error())
	if len(reason) > maxReason {
		reason = strings.ToValidUTF8(reason[:maxReason], "") + "…"
	}
	text := fmt.Sprintf("Your reply cannot be used: %s. %s %s", reason, p.advice(err), wanted[p.Format])
	return strings.Join(strings.Fields(text), " ")
}

// advice says what to do about an error of Candidates.
func (p Profile) advice(err error) string {
	if p.Format == SearchReplace {
		if advice, ok := blockAdvice(err); ok {
			return advice
		}
	}
	advice := ""
	switch {
	case errors.Is(err, patch.ErrNoCode):
		advice = "Put the changed functions into a ```go block."
	case errors.Is(err, patch.ErrDiff):
		advice = "Do not give a diff. Give the whole function as it should be."
	case errors.Is(err, patch.ErrSyntax):
		advice = "Give whole declarations that parse as Go, with balanced braces."
	case errors.Is(err, patch.ErrElided):
		advice = "Write every line of the function out, also those that do not change."
	case errors.Is(err, patch.ErrUnknownDecl):
		advice = "Change functions that were shown, under the same name and receiver."
	case errors.Is(err, patch.ErrNoChange):
		advice = "The code is the same as before. Change what makes it stop."
	case errors.Is(err, patch.ErrAmbiguous):
		advice = "Begin the block with a comment that names the file: // file.go"
	case errors.Is(err, patch.ErrPartial):
		advice = "Give the whole declaration."
	case errors.Is(err, patch.ErrTooLong):
		advice = "Give only the functions that change."
	case errors.Is(err, patch.ErrNoMatch):
		advice = "The search text must be in the file exactly so."
	case errors.Is(err, ErrNotEditable), errors.Is(err, patch.ErrNoFile):
		advice = "Change only files of the program's own modules, as they are named above, and no tests."
	case errors.Is(err, ErrRedacted):
		advice = "Leave lines with [redacted …] as they were shown."
	}
	return advice
}

// blockAdvice is advice where search/replace blocks were asked for.
func blockAdvice(err error) (string, bool) {
	switch {
	case errors.Is(err, patch.ErrNoCode), errors.Is(err, patch.ErrDiff):
		return "Give the change as SEARCH/REPLACE blocks.", true
	case errors.Is(err, patch.ErrSyntax):
		return "With the blocks in place, the file must parse as Go; each block needs its three marks.", true
	case errors.Is(err, patch.ErrElided), errors.Is(err, patch.ErrPartial):
		return "Put only lines into the blocks that stand in the file, or that should stand there.", true
	case errors.Is(err, patch.ErrAmbiguous):
		return "Take more lines around the place, and name the file above the block.", true
	case errors.Is(err, patch.ErrNoMatch):
		return "Copy whole lines of the file, character for character, tabs included.", true
	}
	return "", false
}
