package value

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/debugger"
)

// Types finds types by the names that a debugger gives them.
type Types struct {
	byPath map[string]*types.Package
	own    map[*types.Package]bool // those that were loaded from source
}

// NewTypes knows the packages and what they import. Those of main, which the
// linker calls "main", come from the package given first.
func NewTypes(main *types.Package, loaded []*packages.Package) *Types {
	t := &Types{byPath: map[string]*types.Package{}, own: map[*types.Package]bool{}}
	if main != nil {
		t.add(main)
	}
	for _, p := range loaded {
		if p.Types != nil {
			t.add(p.Types)
			t.own[p.Types] = true
		}
	}
	return t
}

func (t *Types) paths() []string { return slices.Sorted(maps.Keys(t.byPath)) }

func (t *Types) add(p *types.Package) {
	if have := t.byPath[p.Path()]; have != nil && (have.Complete() || !p.Complete()) {
		return
	}
	t.byPath[p.Path()] = p
	if p.Name() == "main" && t.byPath["main"] == nil {
		t.byPath["main"] = p
	}
	for _, imported := range p.Imports() {
		t.add(imported)
	}
}

// Package returns a package by its path, also as the linker writes it; nil when
// it is not known.
func (t *Types) Package(path string) *types.Package { return t.byPath[debugger.Unescaped(path)] }

// Resolve returns the type of a name with whole package paths, for example
// "map[string]*example.com/a/index.Index[int]".
func (t *Types) Resolve(name string) (types.Type, error) {
	p := &typeParser{types: t, text: name}
	found, err := p.parse()
	if err == nil && p.text != "" {
		err = fmt.Errorf("%q is left over", p.text)
	}
	if err != nil {
		return nil, fmt.Errorf("type %s: %w", name, err)
	}
	return found, nil
}

// typeParser reads a type's name from the front of text.
type typeParser struct {
	types *Types
	text  string
}

func (p *typeParser) take(prefix string) bool {
	rest, ok := strings.CutPrefix(p.text, prefix)
	if ok {
		p.text = rest
	}
	return ok
}

func (p *typeParser) expect(prefix string) error {
	if !p.take(prefix) {
		return fmt.Errorf("%q expected at %q", prefix, p.text)
	}
	return nil
}

func (p *typeParser) parse() (types.Type, error) {
	switch {
	case p.take("*"):
		return p.wrap(func(e types.Type) types.Type { return types.NewPointer(e) })
	case p.take("[]"):
		return p.wrap(func(e types.Type) types.Type { return types.NewSlice(e) })
	case p.take("["):
		return p.array()
	case p.take("map["):
		return p.mapType()
	case p.take("<-chan "):
		return p.channel(types.RecvOnly)
	case p.take("chan<- "):
		return p.channel(types.SendOnly)
	case p.take("chan "):
		return p.channel(types.SendRecv)
	case p.take("func("):
		return p.function()
	case p.take("interface {}"):
		return types.Universe.Lookup("any").Type(), nil
	case p.take("struct {}"):
		return types.NewStruct(nil, nil), nil
	case p.take("("):
		inner, err := p.parse()
		if err == nil {
			err = p.expect(")")
		}
		return inner, err
	}
	return p.named()
}

func (p *typeParser) wrap(make func(types.Type) types.Type) (types.Type, error) {
	elem, err := p.parse()
	if err != nil {
		return nil, err
	}
	return make(elem), nil
}

func (p *typeParser) array() (types.Type, error) {
	size, rest, ok := strings.Cut(p.text, "]")
	n, err := strconv.ParseInt(size, 10, 64)
	if !ok || err != nil {
		return nil, fmt.Errorf("no array size at %q", p.text)
	}
	p.text = rest
	return p.wrap(func(e types.Type) types.Type { return types.NewArray(e, n) })
}

func (p *typeParser) mapType() (types.Type, error) {
	key, err := p.parse()
	if err != nil {
		return nil, err
	}
	if err := p.expect("]"); err != nil {
		return nil, err
	}
	return p.wrap(func(e types.Type) types.Type { return types.NewMap(key, e) })
}

func (p *typeParser) channel(dir types.ChanDir) (types.Type, error) {
	return p.wrap(func(e types.Type) types.Type { return types.NewChan(dir, e) })
}

func (p *typeParser) function() (types.Type, error) {
	params, variadic, err := p.tuple()
	if err != nil {
		return nil, err
	}
	var results []*types.Var
	switch {
	case p.take(" ("):
		if results, _, err = p.tuple(); err != nil {
			return nil, err
		}
	case p.take(" "):
		result, err := p.parse()
		if err != nil {
			return nil, err
		}
		results = []*types.Var{types.NewParam(0, nil, "", result)}
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(results...), variadic), nil
}

// tuple reads up to the closing parenthesis.
func (p *typeParser) tuple() (list []*types.Var, variadic bool, err error) {
	for !p.take(")") {
		p.take(", ")
		if p.take("...") {
			variadic = true
			p.text = "[]" + p.text
		}
		t, err := p.parse()
		if err != nil {
			return nil, false, err
		}
		list = append(list, types.NewParam(0, nil, "", t))
	}
	return list, variadic, nil
}

// named reads "int", "main.T" and "example.com/a.G[int,string]".
func (p *typeParser) named() (types.Type, error) {
	end := strings.IndexAny(p.text, "[]),; ")
	if end < 0 {
		end = len(p.text)
	}
	name := p.text[:end]
	p.text = p.text[end:]
	object, err := p.types.lookup(name)
	if err != nil {
		return nil, err
	}
	if !p.take("[") {
		return object.Type(), nil
	}
	var args []types.Type
	for !p.take("]") {
		p.take(",")
		p.take(" ")
		arg, err := p.parse()
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return types.Instantiate(nil, object.Type(), args, true)
}

func (t *Types) lookup(name string) (types.Object, error) {
	slash := strings.LastIndexByte(name, '/')
	dot := strings.IndexByte(name[slash+1:], '.')
	if dot < 0 {
		if object, ok := types.Universe.Lookup(name).(*types.TypeName); ok {
			return object, nil
		}
		return nil, fmt.Errorf("there is no type %q", name)
	}
	path, local := name[:slash+1+dot], name[slash+1+dot+1:]
	pkg := t.Package(path)
	if pkg == nil {
		return nil, fmt.Errorf("package %q is not known", path)
	}
	object, ok := pkg.Scope().Lookup(local).(*types.TypeName)
	if !ok {
		return nil, fmt.Errorf("package %s has no type %s", path, local)
	}
	return object, nil
}

func lastOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
