package review

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// The most that a proposal may hold.
const (
	maxProposedFiles = 20
	maxProposedBytes = 1 << 20 // of a file
	maxProposedWords = 4 << 10 // of the explanation, in bytes
	maxReplacements  = 200
	maxProposedTitle = 4 << 10
)

// Propose makes a candidate of what a participant wrote, and has it proved.
func (rv *Review) Propose(i intent.Propose) {
	if rv.Proofs.Open == nil || rv.Proofs.Open.Verifier == nil {
		rv.Refuse(advice.Add(errors.New("no crash is under review"), "propose a fix while the program is stopped at one"))
		return
	}
	files, err := rv.replaced(i)
	var edits []patch.Edit
	if err == nil {
		edits, err = rv.edits(files)
	}
	if err == nil {
		err = proof.Loggable(edits, proof.MaxProposedLog)
	}
	if err != nil {
		rv.Refuse(fmt.Errorf("propose a fix: %w", err))
		return
	}
	c := patch.Candidate{Title: session.Clean(i.Title[:min(len(i.Title), maxProposedTitle)]), Explanation: cutWords(session.Clean(i.Explanation)), Edits: edits,
		Source: patch.Source{Provider: patch.PersonProvider, Model: rv.By()}}
	if c.Title == "" {
		c.Title = "change " + edits[0].File
	}
	if _, leftOut := rv.Proofs.Proposed(rv.Proofs.Open, "", rv.By(), c); leftOut != nil {
		rv.leaveOut(c)
	}
}

// leaveOut answers a proposal for which there is no room: its author gets an error,
// and the list of fixes shows it.
func (rv *Review) leaveOut(c patch.Candidate) {
	err := advice.Add(fmt.Errorf("%q was left out: there are %d fixes at this stop, and no more are proved", c.Title, rv.Proofs.Open.Count),
		"start pausetui with a larger --max-candidates")
	request := rv.Proofs.Asked(c.Source, 1)
	rv.Append(rv.By(), &session.Answered{Request: request, Err: err.Error(), Hint: advice.Of(err), Failed: session.FailedLimit})
	rv.Refuse(err)
}

// replaced are the files of a proposal, with its replacements made. Of an agent's, nothing
// that is said, and no place, depends on the secrets of a file: it could read one bit by bit.
func (rv *Review) replaced(i intent.Propose) (map[string]string, error) {
	if len(i.Replace) > maxReplacements {
		return nil, fmt.Errorf("%d replacements; at most %d", len(i.Replace), maxReplacements)
	}
	files := map[string]*patch.Masked{}
	for name, text := range i.Files {
		files[name] = &patch.Masked{Text: text}
	}
	for _, r := range i.Replace {
		r.File = rv.Workspace.Rel(rv.Workspace.Abs(r.File))
		if files[r.File] == nil {
			text, exists, err := rv.original(r.File)
			if err != nil {
				return nil, err
			}
			files[r.File] = text
			if !exists && r.Old == "" {
				text.Text = r.New
				continue
			}
			if !exists {
				return nil, fmt.Errorf("there is no %q", r.File)
			}
		}
		if err := files[r.File].Replace(r); err != nil {
			return nil, err
		}
	}
	after := map[string]string{}
	for name, m := range files {
		if !rv.hides(m) {
			return nil, fmt.Errorf("%q would show what is hidden there: leave the name that goes with it", name)
		}
		after[name] = m.Text
	}
	return after, nil
}

// original is a file as it is now, without what is hidden from the author.
func (rv *Review) original(file string) (m *patch.Masked, exists bool, err error) {
	if _, err := rv.Workspace.Editable(file); err != nil {
		return nil, false, err
	}
	data, err := regular.ReadIn(rv.Workspace.Root, file, regular.MaxSource)
	if errors.Is(err, fs.ErrNotExist) {
		return &patch.Masked{}, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	m = &patch.Masked{Text: string(data)}
	if rv.Author.Guest {
		for _, h := range rv.Outside().HiddenIn(m.Text) {
			m.Hidden = append(m.Hidden, patch.Part{From: h[0], To: h[1]})
		}
	}
	return m, true, nil
}

// hides reports whether what was hidden in a text still is: it may be known by its name alone.
func (rv *Review) hides(m *patch.Masked) bool {
	if len(m.Hidden) == 0 {
		return true
	}
	now := rv.Outside().HiddenIn(m.Text)
	return !slices.ContainsFunc(m.Hidden, func(was patch.Part) bool {
		return !slices.ContainsFunc(now, func(h [2]int) bool { return h[0] <= was.From && was.To <= h[1] })
	})
}

// edits compares new contents with the files. What may not be edited, or does
// not change, is refused.
func (rv *Review) edits(files map[string]string) ([]patch.Edit, error) {
	if len(files) > maxProposedFiles {
		return nil, fmt.Errorf("%d files; at most %d", len(files), maxProposedFiles)
	}
	var list []patch.Edit
	for _, name := range slices.Sorted(maps.Keys(files)) {
		rel := rv.Workspace.Rel(rv.Workspace.Abs(name)) // by the name it has everywhere else
		if len(files[name]) > maxProposedBytes {
			return nil, fmt.Errorf("%q is longer than %d bytes", rel, maxProposedBytes)
		}
		if _, err := rv.Workspace.Editable(rel); err != nil {
			return nil, err
		}
		edit := patch.Edit{File: rel, After: files[name]}
		before, err := regular.ReadIn(rv.Workspace.Root, rel, regular.MaxSource)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			edit.Create = true
		case err != nil:
			return nil, err
		}
		edit.Before = string(before)
		if !edit.IsText() {
			return nil, fmt.Errorf("%q %w", rel, patch.ErrNoText)
		}
		if edit.Create || edit.Before != edit.After {
			list = append(list, edit)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("nothing is changed")
	}
	return list, nil
}

func cutWords(text string) string {
	if len(text) <= maxProposedWords {
		return text
	}
	return strings.ToValidUTF8(text[:maxProposedWords], "") + "…"
}
