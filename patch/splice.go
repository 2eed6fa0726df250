package patch

import (
	"errors"
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
)

// Splicer puts whole declarations of a model's reply in the place of those of
// the same name: functions and methods (by receiver and name), types,
// variables and constants. Nothing else in the files changes, except imports,
// which follow what the new code uses.
//
// Line ends, a byte order mark and a missing final newline stay as they are; a
// doc comment stays when the reply gives none; a declaration that exists
// nowhere is put after the one replaced before it in the same fence.
type Splicer struct {
	// Prefer is the file where the search for a declaration begins, then its
	// folder, then the other folders; may be empty.
	Prefer string
}

// Spliced is what became of a reply.
type Spliced struct {
	Edits    []Edit   // sorted by file; only files that changed
	Replaced []string // "file: key" of declarations that changed, in the order of the reply
	Added    []string // "file: key" of new ones
	Warnings []string // for instance a changed signature
}

// Splice puts the declarations of a reply into one file.
func Splice(src []byte, file, reply string) (Spliced, error) {
	return Splicer{Prefer: file}.Splice(map[string]string{file: string(src)}, reply)
}

// Splice puts the declarations of a reply into the files they are in. files
// maps names relative to Root, with slashes, to contents; those that do not
// parse are left out. It fails with a *ReplyError.
func (s Splicer) Splice(files map[string]string, reply string) (Spliced, error) {
	if len(reply) > MaxReply {
		return Spliced{}, refuse(ErrTooLong, 0, "%d bytes; at most %d", len(reply), MaxReply)
	}
	w := newWork(s, files)
	codes, err := w.parseReply(reply)
	if err != nil {
		return Spliced{}, err
	}
	for i, c := range codes {
		if err := w.place(i, c); err != nil {
			return Spliced{}, err
		}
	}
	if err := w.settle(); err != nil {
		return Spliced{}, err
	}
	return w.result(codes)
}

// work is one splicing under way.
type work struct {
	Splicer
	files   map[string]*goFile
	names   []string // of files, sorted
	index   map[string][]place
	edits   []change
	pending []addition
	anchors map[int]place // the last known declaration of each fence
	last    *place        // the last known declaration of all
	done    map[string]int
	known   int
	out     Spliced
}

// place is a declaration in a file.
type place struct {
	file string
	unit unit
}

// change replaces bytes of a file.
type change struct {
	file       string
	start, end int
	text       string
}

// addition is a declaration that exists nowhere.
type addition struct {
	fence int
	key   string
	text  string
}

func newWork(s Splicer, files map[string]string) *work {
	w := &work{Splicer: s, files: map[string]*goFile{}, index: map[string][]place{}, anchors: map[int]place{}, done: map[string]int{}}
	for name, src := range files {
		if g, err := parseGo(name, src); err == nil {
			w.files[name] = g
			w.names = append(w.names, name)
		}
	}
	slices.Sort(w.names)
	for _, name := range w.names {
		for _, u := range units(w.files[name]) {
			for _, n := range u.names {
				w.index[n] = append(w.index[n], place{name, u})
			}
		}
	}
	return w
}

// parseReply returns the code of a reply, or why there is none to use.
func (w *work) parseReply(reply string) ([]code, error) {
	blocks := goFences(reply)
	if len(blocks) == 0 {
		if isDiffReply(reply) {
			return nil, refuse(ErrDiff, 0, "")
		}
		return nil, refuse(ErrNoCode, 0, "")
	}
	var codes []code
	var failed error
	for _, b := range blocks {
		c, err := w.parseBlock(b)
		switch {
		case err == nil && len(declared(c.goFile)) > 0:
			codes = append(codes, c)
		case err != nil && (failed == nil || errors.Is(err, ErrElided)) && (goStart.MatchString(b.text) || looksLikeDiff(b.text)):
			failed = err // a snippet next to the answer is not held against it
		}
	}
	switch {
	case failed != nil:
		return nil, failed
	case len(codes) > 0:
		return codes, nil
	}
	if _, err := w.parseBlock(blocks[0]); err != nil {
		return nil, err
	}
	return nil, refuse(ErrNoCode, 0, "the fence holds no declaration")
}

func (w *work) parseBlock(b fence) (code, error) {
	if line, text := findElision(b.text, w.inSources); line > 0 {
		return code{}, refuse(ErrElided, line, "%s", text)
	}
	c, err := parseCode(b)
	if err == nil {
		return c, nil
	}
	if looksLikeDiff(b.text) {
		return code{}, refuse(ErrDiff, 0, "")
	}
	if line, text := findDots(b.text); line > 0 {
		return code{}, refuse(ErrElided, line, "%s", text)
	}
	return code{}, err
}

// inSources reports whether a comment is in the files already.
func (w *work) inSources(comment string) bool {
	for _, g := range w.files {
		for _, group := range g.ast.Comments {
			for _, c := range group.List {
				if commentText(c.Text) == comment {
					return true
				}
			}
		}
	}
	return false
}

// declared lists the declarations of a reply, without imports.
func declared(g *goFile) []ast.Decl {
	return slices.DeleteFunc(slices.Clone(g.ast.Decls), func(d ast.Decl) bool { return len(unitsOf(d)) == 0 && !blank(d) })
}

// blank reports whether d declares nothing but "_", like var _ io.Reader = x{}.
func blank(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	if !ok || len(g.Specs) == 0 || len(unitsOf(d)) > 0 {
		return false
	}
	_, value := g.Specs[0].(*ast.ValueSpec)
	return value
}

// result applies the changes, fixes imports and checks that all still parses.
func (w *work) result(codes []code) (Spliced, error) {
	byFile := map[string][]change{}
	for _, c := range w.edits {
		byFile[c.file] = append(byFile[c.file], c)
	}
	for _, name := range w.names {
		if len(byFile[name]) == 0 {
			continue
		}
		before := w.files[name].src
		after, err := w.finish(name, applyChanges(before, byFile[name]), codes)
		if err != nil {
			return Spliced{}, err
		}
		if after != before {
			w.out.Edits = append(w.out.Edits, Edit{File: name, Before: before, After: after})
		}
	}
	if len(w.out.Edits) == 0 {
		return Spliced{}, refuse(ErrNoChange, 0, "")
	}
	return w.out, nil
}

// finish fixes the imports of a changed file.
func (w *work) finish(name, after string, codes []code) (string, error) {
	if _, err := parseGo(name, after); err != nil {
		return "", fmt.Errorf("splice %q: %w", name, syntaxError(err, false))
	}
	fixed, err := w.fixImports(name, after, codes)
	if err != nil {
		return "", fmt.Errorf("fix the imports of %q: %w", name, err)
	}
	if _, err := parseGo(name, fixed); err != nil {
		return "", fmt.Errorf("splice %q: %w", name, syntaxError(err, false))
	}
	return fixed, nil
}

// applyChanges applies changes that do not overlap; those at the same place
// keep their order.
func applyChanges(src string, list []change) string {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b change) int { return a.start - b.start })
	usual := usualEnd(src)
	var b strings.Builder
	at := 0
	for _, c := range list {
		c.start = max(c.start, at) // an addition after a comment that is replaced too
		b.WriteString(src[at:c.start])
		b.WriteString(keepEndings(src[c.start:max(c.start, c.end)], c.text, usual))
		at = max(at, c.end)
	}
	b.WriteString(src[at:])
	return b.String()
}

// usesCRLF reports whether most lines of a file end so.
func usesCRLF(src string) bool {
	return 2*strings.Count(src, "\r\n") > strings.Count(src, "\n")
}

// dir returns the folder of a file name.
func dir(file string) string { return path.Dir(file) }
