package prompts

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func structure(typ string, fields ...debugger.Variable) debugger.Variable {
	return debugger.Variable{Type: typ, FullType: typ, Kind: reflect.Struct, Children: fields}
}

func field(name string, v debugger.Variable) debugger.Variable {
	v.Name = name
	return v
}

func held(typ string, v debugger.Variable) debugger.Variable {
	return debugger.Variable{Type: typ, Kind: reflect.Interface, Children: []debugger.Variable{v}}
}

func number(value string) debugger.Variable {
	return debugger.Variable{Type: "int", Kind: reflect.Int, Value: value}
}

func TestValuesSayWhatMatters(t *testing.T) {
	typedNil := held("error", debugger.Variable{Type: "*io/fs.PathError", Kind: reflect.Pointer, Nil: true})
	state := debugger.Variable{Type: "uint64", Kind: reflect.Uint64, Value: "8589934593"} // 2<<32 | 1
	for name, c := range map[string]struct {
		v    debugger.Variable
		want string
	}{
		"a file": {structure("os.File", field("file", number("1"))), "os.File{…}"},
		"a pointer to what its package keeps to itself": {debugger.Variable{Type: "*bufio.Reader", Kind: reflect.Pointer, Children: []debugger.Variable{structure("bufio.Reader", field("buf", number("1")))}}, "&bufio.Reader{…}"},
		"a struct of the user's":                        {structure("main.point", field("x", number("1"))), "main.point{x: 1}"},
		"a library's open struct":                       {structure("image.Point", field("X", number("1"))), "image.Point{X: 1}"},
		"a typed nil":                                   {typedNil, "error(*fs.PathError) nil"},
		"a typed nil inside":                            {structure("main.result", field("err", typedNil)), "main.result{err: error(*fs.PathError) nil}"},
		"a number in an interface":                      {held("interface {}", number("3")), "int(3)"},
		"a text in an interface":                        {held("interface {}", debugger.Variable{Type: "string", Kind: reflect.String, Value: "a", Len: 1}), `"a"`},
		"a struct in an interface":                      {held("main.shape", structure("main.point", field("x", number("1")))), "main.point{x: 1}"},
		"a wait group":                                  {structure("sync.WaitGroup", field("state", structure("sync/atomic.Uint64", field("v", state)))), "counter 2, 1 waiting"},
		"a field that cannot be read":                   {structure("main.point", field("x", number("1")), field("y", debugger.Variable{Unreadable: "gone"})), "main.point{x: 1}"},
		"the zero reflect.Value":                        {structure("reflect.Value", field("flag", number("0"))), "the zero reflect.Value"},
	} {
		if got := Value(c.v); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestVariablesWithoutAValueAreLeftOut(t *testing.T) {
	a, b, c := number("1"), number("824634330112"), number("")
	a.Name, b.Name, c.Name = "a", "b", "c"
	b.Unset, c.Unreadable = true, "optimized out"
	if got := showVariables([]debugger.Variable{a, b, c}); strings.TrimSpace(got) != "a int = 1" {
		t.Errorf("shown are %q", got)
	}
}

func TestALongValueIsWrittenOnce(t *testing.T) {
	long := debugger.Variable{Name: "a", Type: "string", Kind: reflect.String, Value: strings.Repeat("x", longValue), Len: longValue}
	s := shower{written: map[string]string{}}
	first := s.list([]debugger.Variable{long}, valueDepth)
	long.Name = "b"
	if again := s.list([]debugger.Variable{long}, callerDepth); again != "b string = the same as a above\n" || !strings.Contains(first, long.Value) {
		t.Errorf("first %q, then %q", first, again)
	}
}

func TestForeignStructsAreAWordWhereTheCodeIsKnown(t *testing.T) {
	s := shower{foreign: func(pkg string) bool { return pkg == "example.com/db" }}
	if got := s.value(structure("example.com/db.Conn", field("state", number("1"))), 3); got != "db.Conn{…}" {
		t.Errorf("shown is %s", got)
	}
}

func TestALongStringLosesNoBytes(t *testing.T) {
	v := debugger.Variable{Type: "string", Kind: reflect.String, Value: "\xff\xfe" + strings.Repeat("é", valueText), Len: 2 + 2*valueText}
	if got, want := showString(v), `"\xff\xfe`+strings.Repeat("é", valueText/2-1)+`"… (322 bytes)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
