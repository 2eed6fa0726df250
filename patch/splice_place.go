package patch

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
)

// place plans what becomes of each declaration of one fence.
func (w *work) place(fence int, c code) error {
	c = w.inStyle(c)
	for _, d := range declared(c.goFile) {
		if blank(d) {
			w.addBlank(fence, c, d)
			continue
		}
		if err := w.placeDecl(fence, c, d); err != nil {
			return err
		}
	}
	return nil
}

// inStyle formats the code, unless the files themselves are not formatted.
func (w *work) inStyle(c code) code {
	for _, d := range declared(c.goFile) {
		for _, u := range unitsOf(d) {
			at, ok, err := w.find(u.names[0], c)
			if err != nil || !ok {
				continue
			}
			src := strings.ReplaceAll(w.files[at.file].src, "\r\n", "\n")
			if out, err := Gofmt(src); err != nil || strings.TrimSpace(out) != strings.TrimSpace(src) {
				return c
			}
		}
	}
	return c.formatted()
}

func (w *work) placeDecl(fence int, c code, d ast.Decl) error {
	found := map[int]place{}
	list := unitsOf(d)
	for i, u := range list {
		for _, name := range u.names {
			at, ok, err := w.find(name, c)
			if err != nil {
				return err
			}
			if ok {
				found[i] = at
				break
			}
		}
	}
	if len(found) == 0 {
		w.pending = append(w.pending, addition{fence, list[0].key, withDoc(c, d)})
		return nil
	}
	if gen, ok := d.(*ast.GenDecl); ok && gen.Lparen.IsValid() {
		first := found[slices.Min(slices.Collect(maps.Keys(found)))]
		if whole, err := w.wholeGroup(fence, c, gen, first); whole || err != nil {
			return err
		}
	}
	for i, u := range list {
		at, ok := found[i]
		if !ok {
			w.pending = append(w.pending, addition{fence, u.key, u.kind.String() + " " + c.text(u.node)})
			continue
		}
		if err := w.replace(fence, c, u, at); err != nil {
			return err
		}
	}
	return nil
}

// wholeGroup replaces a const group as a whole, when its parts depend on each other.
func (w *work) wholeGroup(fence int, c code, d *ast.GenDecl, at place) (bool, error) {
	old, ok := at.unit.decl.(*ast.GenDecl)
	if !ok || !(repeats(d) || repeats(old)) {
		return false, nil
	}
	given := map[string]bool{}
	for _, u := range unitsOf(d) {
		for _, n := range u.names {
			given[n] = true
		}
	}
	for _, u := range unitsOf(old) {
		for _, n := range u.names {
			if !given[n] {
				return false, refuse(ErrPartial, 0, "the const group of %s needs %s too", at.unit.key, n)
			}
		}
	}
	w.anchor(fence, at)
	g := w.files[at.file]
	if sameCode(g.text(old), c.text(d)) {
		return true, nil
	}
	w.change(at, g.offset(old.Pos()), g.offset(old.End()), c.text(d))
	return true, nil
}

// replace puts a declaration of the reply in the place of the one at.
func (w *work) replace(fence int, c code, u unit, at place) error {
	g, old := w.files[at.file], at.unit
	if old.kind != token.FUNC && u.kind != token.FUNC && old.key != u.key {
		return refuse(ErrPartial, 0, "%s is declared together with %s", u.key, old.key)
	}
	if gen, ok := old.decl.(*ast.GenDecl); ok && repeats(gen) {
		return refuse(ErrPartial, 0, "%s belongs to a const group; give the whole group", u.key)
	}
	w.anchor(fence, at)
	if u.kind != old.kind {
		if old.grouped() {
			return refuse(ErrPartial, 0, "%s is a %s in a group, not a %s", u.key, old.kind, u.kind)
		}
		text := c.text(u.node)
		if u.kind != token.FUNC {
			text = u.kind.String() + " " + text
		}
		w.change(at, g.offset(old.decl.Pos()), g.offset(old.decl.End()), text)
		return nil
	}
	if sameCode(g.text(old.node), c.text(u.node)) {
		return nil
	}
	if u.kind == token.FUNC {
		w.replaceFunc(c, u.node.(*ast.FuncDecl), at)
		return nil
	}
	text := c.text(u.node)
	if !strings.Contains(text, "`") {
		switch {
		case old.grouped() && !u.grouped():
			text = strings.ReplaceAll(text, "\n", "\n\t")
		case u.grouped() && !old.grouped():
			text = strings.ReplaceAll(text, "\n\t", "\n")
		}
	}
	w.change(at, g.offset(old.node.Pos()), g.offset(old.node.End()), text)
	return nil
}

// replaceFunc replaces a function, and its doc comment when the reply has one.
func (w *work) replaceFunc(c code, d *ast.FuncDecl, at place) {
	g, old := w.files[at.file], at.unit.node.(*ast.FuncDecl)
	if signature(g, old) != signature(c.goFile, d) {
		w.warn("changes the signature of %s: %s", at.unit.key, head(c.goFile, d))
	}
	start, text := g.offset(old.Pos()), c.src[c.offset(d.Type.Func):c.offset(d.End())]
	if doc := docText(d.Doc); doc != "" {
		if old.Doc != nil {
			start = g.offset(old.Doc.Pos())
			doc += lostDirectives(old.Doc, doc)
		}
		text = doc + text
	}
	w.change(at, start, g.offset(old.End()), text)
}

// docText returns a doc comment of the reply without lines that only name a
// file, ending in a newline; empty when nothing is left.
func docText(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	var b strings.Builder
	for _, line := range doc.List {
		if !fileComment.MatchString(line.Text) {
			b.WriteString(line.Text + "\n")
		}
	}
	return b.String()
}

// lostDirectives returns the compiler directives of the old doc comment that
// the new one does not repeat: they are code, not words.
func lostDirectives(old *ast.CommentGroup, doc string) string {
	var b strings.Builder
	for _, line := range old.List {
		directive := strings.HasPrefix(line.Text, "//go:") || strings.HasPrefix(line.Text, "//export ")
		if directive && !strings.Contains(doc, line.Text) {
			b.WriteString(line.Text + "\n")
		}
	}
	return b.String()
}

// withDoc returns a whole declaration with its doc comment.
func withDoc(c code, d ast.Decl) string {
	doc := ""
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = docText(d.Doc)
	case *ast.GenDecl:
		doc = docText(d.Doc)
	}
	return doc + c.text(d)
}

// change plans a replacement. The last one wins where a reply gives a
// declaration twice: a model shows the old code first, then the new.
func (w *work) change(at place, start, end int, text string) {
	id := at.file + ": " + at.unit.key
	next := change{at.file, start, end, text}
	if i, twice := w.done[id]; twice {
		w.edits[i] = next
		w.warn("%s is given twice; the last one is used", at.unit.key)
		return
	}
	w.done[id] = len(w.edits)
	w.edits = append(w.edits, next)
	w.out.Replaced = append(w.out.Replaced, id)
}

func (w *work) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(w.out.Warnings, text) {
		w.out.Warnings = append(w.out.Warnings, text)
	}
}

func (w *work) anchor(fence int, at place) {
	w.known++
	w.anchors[fence] = at
	w.last = &at
}

// addBlank keeps a "var _ I = T{}" that is in no file yet.
func (w *work) addBlank(fence int, c code, d ast.Decl) {
	for _, g := range w.files {
		for _, have := range g.ast.Decls {
			if blank(have) && sameCode(g.text(have), c.text(d)) {
				return
			}
		}
	}
	w.pending = append(w.pending, addition{fence, "_", withDoc(c, d)})
}

// settle puts the new declarations after known ones of their fence.
func (w *work) settle() error {
	if w.known == 0 {
		w.besideTypes()
	}
	if w.known == 0 {
		var names []string
		for _, p := range w.pending {
			names = append(names, p.key)
		}
		return refuse(ErrUnknownDecl, 0, "%s", strings.Join(names, ", "))
	}
	for _, p := range w.lastOnes() {
		at, ok := w.anchors[p.fence]
		if !ok {
			at = *w.last
		}
		end := w.files[at.file].after(at.unit.decl.End())
		w.edits = append(w.edits, change{at.file, end, end, "\n\n" + strings.TrimRight(p.text, "\n")})
		w.out.Added = append(w.out.Added, at.file+": "+p.key)
	}
	return nil
}

// besideTypes finds a place for methods that a type does not have yet, where
// the reply changes nothing else: after the type.
func (w *work) besideTypes() {
	for _, p := range w.pending {
		recv, _, method := strings.Cut(p.key, ".")
		if !method {
			continue
		}
		if at, ok, err := w.find(recv, code{}); err == nil && ok {
			w.anchor(p.fence, at)
		}
	}
}

// lastOnes drops new declarations that the reply gives again later.
func (w *work) lastOnes() []addition {
	var list []addition
	for i, p := range w.pending {
		again := p.key != "_" && slices.ContainsFunc(w.pending[i+1:], func(q addition) bool { return q.key == p.key })
		if again {
			w.warn("%s is given twice; the last one is used", p.key)
			continue
		}
		list = append(list, p)
	}
	return list
}

// after returns the offset after a declaration and the comments on its line.
func (g *goFile) after(end token.Pos) int {
	at := g.offset(end)
	for _, group := range g.ast.Comments {
		for _, c := range group.List {
			start := g.offset(c.Pos())
			if start >= at && strings.Trim(g.src[at:start], " \t") == "" {
				at = start + len(g.comment(c))
			}
		}
	}
	return at
}

// comment returns a comment as it is in the source: the parser drops its
// carriage returns, and with them the true length.
func (g *goFile) comment(c *ast.Comment) string {
	rest := g.src[g.offset(c.Pos()):]
	if strings.HasPrefix(c.Text, "/*") {
		return rest[:strings.Index(rest, "*/")+2]
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSuffix(line, "\r")
}

// find looks a declaration up: in the preferred file, then its folder, then
// the others. A plain function that another folder happens to have is not
// meant when the code calls it without a package name.
func (w *work) find(key string, c code) (place, bool, error) {
	all := slices.Clone(w.index[key])
	if c.pkg != "" {
		same := slices.DeleteFunc(slices.Clone(all), func(p place) bool { return w.files[p.file].ast.Name.Name != c.pkg })
		if len(same) > 0 || w.hasPackage(c.pkg) {
			all = same
		}
	}
	tiers := []func(place) bool{
		func(p place) bool { return c.hint != "" && (p.file == c.hint || path.Base(p.file) == c.hint) },
		func(p place) bool { return p.file == w.Prefer },
		func(p place) bool { return w.Prefer != "" && dir(p.file) == dir(w.Prefer) },
		func(p place) bool { return w.Prefer == "" || !c.calls(key) },
	}
	for _, in := range tiers {
		var hits []place
		for _, p := range all {
			if in(p) {
				hits = append(hits, p)
			}
		}
		if len(hits) > 1 {
			return place{}, false, refuse(ErrAmbiguous, 0, "%s is in %s and in %s", key, hits[0].file, hits[1].file)
		}
		if len(hits) == 1 {
			return hits[0], true, nil
		}
	}
	return place{}, false, nil
}

func (w *work) hasPackage(name string) bool {
	return slices.ContainsFunc(w.names, func(f string) bool { return w.files[f].ast.Name.Name == name })
}

// calls reports whether another function of the code calls name without a package.
func (c code) calls(name string) bool {
	found := false
	ast.Inspect(c.ast, func(n ast.Node) bool {
		if d, ok := n.(*ast.FuncDecl); ok && FuncKey(d) == name {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			id, plain := call.Fun.(*ast.Ident)
			found = found || plain && id.Name == name
		}
		return !found
	})
	return found
}
