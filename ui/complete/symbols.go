package complete

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
)

// symbols are the names of the target, by which it can be asked: functions,
// types and variables with the last part of their package's path.
type symbols struct {
	functions, types, variables, sources, paths []string
	names                                       []string // of packages
}

// needSymbols asks for the names of the target, once a round; nil where they
// are known, or cannot be.
func (k *Known) needSymbols(in Input) *Need {
	if k.symbols != nil && k.round == in.State.Round {
		return nil
	}
	if !in.Held {
		k.symbols, k.round = &symbols{}, -1
		return nil
	}
	root, own := in.State.Started.Workspace.Root, "main"
	for _, m := range in.State.Started.Workspace.Modules {
		own += "|" + regexp.QuoteMeta(m.Path) + "(/.*)?"
	}
	return &Need{Key: "symbols", Read: func(ctx context.Context, i debugger.Inspector) any {
		source, ok := i.(console.Symbols)
		if !ok {
			return &symbols{}
		}
		return readSymbols(ctx, source, root, own)
	}}
}

// readSymbols reads what there is; what fails is missing from the offers.
func readSymbols(ctx context.Context, in console.Symbols, root, own string) *symbols {
	s := &symbols{}
	functions, _ := in.Functions(ctx, "")
	types, _ := in.Types(ctx, "")
	sources, _ := in.Sources(ctx, "")
	packages, _ := in.Packages(ctx, "")
	variables, _ := in.PackageVariables(ctx, "^("+own+`)\.`, false)
	s.functions, s.types = shortened(functions), shortened(types)
	for _, v := range variables {
		s.variables = append(s.variables, shorten(v.Name))
	}
	for _, p := range packages {
		s.paths = append(s.paths, p.Path)
		s.names = append(s.names, path.Base(p.Path))
	}
	for _, file := range sources {
		if rest, ok := strings.CutPrefix(file, root+"/"); ok {
			file = rest
		}
		s.sources = append(s.sources, file)
	}
	for _, list := range []*[]string{&s.functions, &s.types, &s.variables, &s.sources, &s.paths, &s.names} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s
}

func shortened(list []string) []string {
	out := make([]string, 0, len(list))
	for _, name := range list {
		out = append(out, shorten(name))
	}
	return out
}

// shorten cuts the directories of a package's path off a name; those within
// brackets and parentheses stay.
func shorten(name string) string {
	end := strings.IndexAny(name, "([")
	if end < 0 {
		end = len(name)
	}
	return name[strings.LastIndexByte(name[:end], '/')+1:]
}

func (s *symbols) offer(c *collector, kind console.Kind) {
	if s == nil {
		return
	}
	switch kind {
	case console.Location:
		user(c, s.sources)
		all(c, s.functions)
	case console.Function:
		all(c, s.functions)
	case console.TypeName:
		all(c, s.types)
	case console.Package:
		all(c, s.paths)
	case console.Source:
		all(c, s.sources)
	case console.Variable:
		all(c, s.variables)
	}
}

func all(c *collector, list []string) {
	for _, name := range list {
		c.addLast(name)
	}
}

// user offers the files of the user's modules: they are written without a root.
func user(c *collector, sources []string) {
	for _, file := range sources {
		if !strings.HasPrefix(file, "/") {
			c.addLast(file + ":")
		}
	}
}

// packages offers the names of packages, for what they hold.
func (s *symbols) packages(c *collector) {
	if s == nil {
		return
	}
	for _, name := range s.names {
		c.add(name + ".")
	}
}

// members offers what a package holds.
func (s *symbols) members(c *collector, pkg string) {
	if s == nil {
		return
	}
	for _, list := range [][]string{s.variables, s.functions, s.types} {
		from, _ := slices.BinarySearch(list, pkg+".")
		for _, name := range list[from:] {
			rest, ok := strings.CutPrefix(name, pkg+".")
			if !ok {
				break
			}
			c.add(rest)
		}
	}
}
