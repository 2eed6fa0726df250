// Package complete completes the words of the command line. It asks what is known and
// never waits: what is not known yet it names as a need, and when the answer has come, it
// is asked again.
package complete

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/inspect"
)

// Input is what is known without asking.
type Input struct {
	State session.State
	Store *inspect.Store
	At    debugger.FrameRef
	Held  bool
	Guest bool // is offered none of this machine's files
}

// Need is something to be read before all offers are known.
type Need struct {
	Key  string
	Read func(ctx context.Context, in debugger.Inspector) any
	// Store is a need of the store's own; Read is nil then.
	Store []inspect.Need
}

// Known keeps what was read. It is used from one goroutine only.
type Known struct {
	round   int
	symbols *symbols
	dir     string // that was listed last
	entries []string
	ids     ids
}

// maxOffers bounds what is offered.
const maxOffers = 200

// Take keeps an answer.
func (k *Known) Take(round int, result any) {
	switch r := result.(type) {
	case *symbols:
		k.round, k.symbols = round, r
	case ids:
		k.ids = r
	case listing:
		k.dir, k.entries = r.dir, r.names
	}
}

// Offers returns what the word may become, sorted, and what has to be read to
// know more.
func (k *Known) Offers(t console.Table, w console.Wanted, in Input) (offers []string, need *Need) {
	c := &collector{word: w.Word}
	if w.Kind != console.Expression {
		words(c, w)
	}
	switch w.Kind {
	case console.Expression:
		need = k.expression(c, w, in)
	case console.Breakpoint:
		for _, b := range in.State.Breakpoints {
			c.add(strconv.Itoa(b.ID))
			c.add(b.Name)
		}
	case console.Goroutine:
		need = k.goroutines(c, in)
	case console.Setting:
		for _, name := range append(console.SettingNames(), "-list") {
			c.add(name)
		}
	case console.Name:
		for _, command := range t.Commands() {
			c.add(command.Name)
		}
	case console.Path:
		if !in.Guest {
			need = k.path(c, in)
		}
	case console.Location, console.Function, console.TypeName, console.Package, console.Source, console.Variable:
		if need = k.needSymbols(in); need == nil {
			k.symbols.offer(c, w.Kind)
		}
	}
	return c.offers(), need
}

// words offers the words of the table.
func words(c *collector, w console.Wanted) {
	for _, word := range w.Words {
		c.add(word)
	}
	slices.Sort(c.first)
}

// collector gathers what continues a word: what begins with it before what
// holds it in its last part.
type collector struct {
	word          string
	first, second []string
}

func (c *collector) add(name string) {
	switch {
	case name == "" || name == c.word || len(c.first) >= maxOffers:
	case hasPrefix(name, c.word):
		c.first = append(c.first, name)
	}
}

// addLast also takes a name whose last part, after a dot or a slash, begins
// with the word.
func (c *collector) addLast(name string) {
	if hasPrefix(name, c.word) {
		c.add(name)
		return
	}
	if len(c.second) < maxOffers && c.word != "" && hasPrefix(name[strings.LastIndexAny(name, "./")+1:], c.word) {
		c.second = append(c.second, name)
	}
}

func (c *collector) offers() []string {
	out := slices.Clip(c.first)
	for _, name := range c.second {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return slices.Compact(out[:min(len(out), maxOffers)])
}

// hasPrefix ignores case where the word has none of its own.
func hasPrefix(name, word string) bool {
	if strings.HasPrefix(name, word) {
		return true
	}
	return strings.ToLower(word) == word && len(name) >= len(word) && strings.EqualFold(name[:len(word)], word)
}

// ids are the goroutines of a stop, as far as they were listed.
type ids struct {
	tag  inspect.Tag
	list []string
}

// goroutines offers the selected goroutine and the first of the others.
func (k *Known) goroutines(c *collector, in Input) *Need {
	if !in.Held {
		return nil
	}
	tag := in.Store.Tag()
	if k.ids.list == nil || k.ids.tag.Stop != tag.Stop {
		return &Need{Key: "goroutines", Read: func(ctx context.Context, i debugger.Inspector) any {
			got := ids{tag: tag, list: []string{}}
			list, _, _ := i.Goroutines(ctx, debugger.Page{Count: maxOffers}) // what could be read is offered
			for _, g := range list {
				got.list = append(got.list, strconv.FormatInt(int64(g.ID), 10))
			}
			return got
		}}
	}
	for _, id := range k.ids.list {
		c.add(id)
	}
	return nil
}

// expression offers what can be at the cursor in an expression.
func (k *Known) expression(c *collector, w console.Wanted, in Input) *Need {
	if !in.Held {
		words(c, w)
		return nil
	}
	if w.Base != "" {
		return k.members(c, w, in)
	}
	if f, ok := in.Store.Frame(in.At); ok {
		for _, v := range f.Variables() {
			if !v.Shadowed {
				c.add(v.Name)
			}
		}
	}
	variables := c.first
	c.first = nil
	words(c, w)
	c.first = append(variables, c.first...)
	if w.Word == "" {
		return nil
	}
	need := k.needSymbols(in)
	if need == nil {
		k.symbols.packages(c)
	}
	return need
}

// members offers the fields of a value, the keys of a map, or what a package
// has.
func (k *Known) members(c *collector, w console.Wanted, in Input) *Need {
	if v, ok := variable(in, w.Base); ok {
		offerMembers(c, v, w.Key)
		return nil
	}
	v, failed, known := in.Store.Expression(in.At, w.Base)
	switch {
	case !known:
		if need := in.Store.NeedExpression(in.At, w.Base); len(need) > 0 {
			return &Need{Key: need[0].Key, Store: need}
		}
	case failed == "":
		offerMembers(c, v, w.Key)
		return nil
	}
	need := k.needSymbols(in)
	if need == nil {
		c.word = w.Word
		k.symbols.members(c, w.Base)
	}
	return need
}

// variable finds a variable of the frame, or a part of one that is loaded.
func variable(in Input, path string) (debugger.Variable, bool) {
	f, ok := in.Store.Frame(in.At)
	if !ok {
		return debugger.Variable{}, false
	}
	parts := strings.Split(path, ".")
	for _, v := range f.Variables() {
		if v.Name != parts[0] || v.Shadowed {
			continue
		}
		for _, name := range parts[1:] {
			if v, ok = v.Deref().Child(name); !ok {
				return v, false
			}
		}
		return v, len(v.Deref().Children) > 0
	}
	return debugger.Variable{}, false
}

func offerMembers(c *collector, v debugger.Variable, key bool) {
	for _, child := range v.Deref().Children {
		bracket := strings.HasPrefix(child.Name, "[")
		if child.Name != "" && bracket == key {
			c.add(child.Name)
		}
	}
}

// listing is a directory that was read.
type listing struct {
	dir   string
	names []string
}

// maxEntries bounds the entries of a directory that are looked at.
const maxEntries = 5000

func (k *Known) path(c *collector, in Input) *Need {
	dir, _ := filepath.Split(c.word)
	full := dir
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			full = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(full) {
		full = filepath.Join(in.State.Started.Workspace.Dir, full)
	}
	if k.dir != full || k.entries == nil {
		return &Need{Key: "dir " + full, Read: func(context.Context, debugger.Inspector) any { return list(full) }}
	}
	for _, name := range k.entries {
		c.add(dir + name)
	}
	return nil
}

// Forget makes directories be read again.
func (k *Known) Forget() { k.dir, k.entries = "", nil }

func list(dir string) listing {
	l := listing{dir: dir, names: []string{}}
	f, err := os.Open(dir)
	if err != nil {
		return l
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxEntries) // what could be read is offered
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		if !strings.HasPrefix(name, ".") {
			l.names = append(l.names, name)
		}
	}
	slices.Sort(l.names)
	return l
}
