package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

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
)

// propose makes a candidate of what a participant wrote, and has it proved.
func (rv *review) propose(i Propose) {
	if rv.proofs.open == nil || rv.proofs.open.verifier == nil {
		rv.refuse(advice.Add(errors.New("no crash is under review"), "propose a fix while the program is stopped at one"))
		return
	}
	files, err := rv.replaced(i)
	var edits []patch.Edit
	if err == nil {
		edits, err = rv.edits(files)
	}
	if err != nil {
		rv.refuse(fmt.Errorf("propose a fix: %w", err))
		return
	}
	c := patch.Candidate{Title: session.Clean(i.Title), Explanation: cutWords(session.Clean(i.Explanation)), Edits: edits,
		Source: patch.Source{Provider: "person", Model: rv.by()}}
	if c.Title == "" {
		c.Title = "change " + edits[0].File
	}
	if _, leftOut := rv.proofs.proposed(rv.proofs.open, "", rv.by(), c); leftOut != nil {
		rv.leaveOut(c)
	}
}

// leaveOut answers a proposal for which there is no room: its author gets an error,
// and the list of fixes shows it.
func (rv *review) leaveOut(c patch.Candidate) {
	err := advice.Add(fmt.Errorf("%q was left out: there are %d fixes at this stop, and no more are proved", c.Title, rv.proofs.open.count),
		"start pausetui with a larger --max-candidates")
	request := rv.proofs.asked(c.Source, 1)
	rv.append(rv.by(), &session.Answered{Request: request, Err: err.Error(), Hint: advice.Of(err), Failed: session.FailedLimit})
	rv.refuse(err)
}

// replaced are the files of a proposal, with its replacements made.
func (rv *review) replaced(i Propose) (map[string]string, error) {
	if len(i.Replace) > maxReplacements {
		return nil, fmt.Errorf("%d replacements; at most %d", len(i.Replace), maxReplacements)
	}
	files := map[string]string{}
	maps.Copy(files, i.Files)
	for _, r := range i.Replace {
		r.File = rv.ws.Rel(rv.ws.Abs(r.File))
		text, given := files[r.File]
		if !given {
			if _, err := rv.ws.Editable(r.File); err != nil {
				return nil, err
			}
			data, err := regular.ReadIn(rv.ws.Root, r.File, regular.MaxSource)
			if errors.Is(err, fs.ErrNotExist) && r.Old == "" {
				files[r.File] = r.New
				continue
			}
			if err != nil {
				return nil, err
			}
			text = string(data)
		}
		text, err := r.In(text)
		if err != nil {
			return nil, err
		}
		files[r.File] = text
	}
	return files, nil
}

// edits compares new contents with the files. What may not be edited, or does
// not change, is refused.
func (rv *review) edits(files map[string]string) ([]patch.Edit, error) {
	if len(files) > maxProposedFiles {
		return nil, fmt.Errorf("%d files; at most %d", len(files), maxProposedFiles)
	}
	var list []patch.Edit
	for _, name := range slices.Sorted(maps.Keys(files)) {
		rel := rv.ws.Rel(rv.ws.Abs(name)) // by the name it has everywhere else
		if len(files[name]) > maxProposedBytes {
			return nil, fmt.Errorf("%q is longer than %d bytes", rel, maxProposedBytes)
		}
		if _, err := rv.ws.Editable(rel); err != nil {
			return nil, err
		}
		edit := patch.Edit{File: rel, After: files[name]}
		before, err := regular.ReadIn(rv.ws.Root, rel, regular.MaxSource)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			edit.Create = true
		case err != nil:
			return nil, err
		}
		edit.Before = string(before)
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
