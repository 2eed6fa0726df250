package debugger

import "testing"

func TestUnescaped(t *testing.T) {
	for in, want := range map[string]string{
		"gopkg.in/yaml%2ev3.Unmarshal":                 "gopkg.in/yaml.v3.Unmarshal",
		"main.each[gopkg.in/a%2ev1.T,example.org/b.c]": "main.each[gopkg.in/a.v1.T,example.org/b.c]",
		"map[string]*gopkg.in/a%2ev1.T":                "map[string]*gopkg.in/a.v1.T",
		"example.org/caf%c3%a9.f":                      "example.org/café.f",
		"main.f":                                       "main.f",
		"a%0a.f":                                       "a%0a.f",
		"100%.f%2":                                     "100%.f%2",
	} {
		if got := Unescaped(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestCutFunction(t *testing.T) {
	for in, want := range map[string][2]string{
		"main.main":                           {"main", "main"},
		"main.(*Index).Add.func1":             {"main", "(*Index).Add.func1"},
		"main.v1.Get":                         {"main", "v1.Get"},
		"main.run.(*Index).Add.func1":         {"main", "run.(*Index).Add.func1"}, // Add was inlined
		"example.org/a.run.(*T).Add.gowrap2":  {"example.org/a", "run.(*T).Add.gowrap2"},
		"example.org/a/store.Table.Get":       {"example.org/a/store", "Table.Get"},
		"gopkg.in/yaml.v3.fail":               {"gopkg.in/yaml.v3", "fail"},
		"gopkg.in/yaml.v3.Node.Kind":          {"gopkg.in/yaml.v3", "Node.Kind"},
		"example.org/socket.io.(*Conn).Read":  {"example.org/socket.io", "(*Conn).Read"},
		"main.each[gopkg.in/a.v1.T]":          {"main", "each[gopkg.in/a.v1.T]"},
		"example.org/a.(*T[example.org/b.C])": {"example.org/a", "(*T[example.org/b.C])"},
		"panic":                               {"panic", ""},
	} {
		if pkg, symbol := CutFunction(in); pkg != want[0] || symbol != want[1] {
			t.Errorf("%q: %q, %q", in, pkg, symbol)
		}
	}
}

func TestTypeArguments(t *testing.T) {
	flag := "example.com/cli/v3.(*FlagBase[go.shape.interface { Value() interface {}; String() string },example.com/cli/v3.StringConfig,*example.com/cli/v3.Value]).PostParse"
	for in, want := range map[string][3]string{ // without, short arguments, short
		"main.Last[go.shape.[]int]":                                    {"main.Last", "main.Last[...]", "main.Last[...]"},
		"main.Last[...]":                                               {"main.Last", "main.Last[...]", "main.Last[...]"},
		"main.(*Cache[string,[]int]).Get":                              {"main.(*Cache).Get", "main.(*Cache[string,[]int]).Get", ""},
		"main.(*G[go.shape.map[string][4]int]).Put":                    {"main.(*G).Put", "main.(*G[...]).Put", ""},
		"main.Map[go.shape.int,go.shape.string].func1":                 {"main.Map.func1", "main.Map[...].func1", ""},
		"main.F[go.shape.struct { A int \"k:\\\"]\\\"\" }].func2[...]": {"main.F.func2", "main.F[...].func2[...]", ""},
		flag:                     {"example.com/cli/v3.(*FlagBase).PostParse", "example.com/cli/v3.(*FlagBase[...]).PostParse", "cli.(*FlagBase[...]).PostParse"},
		"example.com/a/b.(*T).M": {"example.com/a/b.(*T).M", "example.com/a/b.(*T).M", "b.(*T).M"},
		"main.odd[unclosed":      {"main.odd[unclosed", "main.odd[unclosed", ""},
		"x.org/p.(*Pool[go.shape.*uint8]).acquire": {"x.org/p.(*Pool).acquire", "x.org/p.(*Pool[...]).acquire", "p.(*Pool[...]).acquire"}, // of any pointer
		"main.main":                 {"main.main", "main.main", "main.main"},
		"main.Max[gopkg.in/a.v1.T]": {"main.Max", "main.Max[gopkg.in/a.v1.T]", "main.Max[gopkg.in/a.v1.T]"},
	} {
		if got := WithoutTypeArguments(in); got != want[0] {
			t.Errorf("%q without arguments: %q, want %q", in, got, want[0])
		}
		if got := ShortArguments(in); got != want[1] {
			t.Errorf("%q with short arguments: %q, want %q", in, got, want[1])
		}
		if got := ShortFunction(in); want[2] != "" && got != want[2] {
			t.Errorf("%q short: %q, want %q", in, got, want[2])
		}
	}
}

func TestWithoutVersions(t *testing.T) {
	for in, want := range map[string]string{
		"charm.land/bubbletea/v2.(*Program).Run":              "charm.land/bubbletea.(*Program).Run",
		"example.org/go-toml/v2_test.TestTimes":               "example.org/go-toml_test.TestTimes",
		"map[charm.land/bubbletea/v2.KeyMsg]*example.org/v.T": "map[charm.land/bubbletea.KeyMsg]*example.org/v.T",
		"example.org/app/v2/store.Open":                       "example.org/app/v2/store.Open",
		"gopkg.in/yaml.v3.fail":                               "gopkg.in/yaml.v3.fail",
	} {
		if got := WithoutVersions(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

func TestTypesAsPeopleWriteThem(t *testing.T) {
	for name, want := range map[string]string{
		"map[string]example.com/a/b.T": "map[string]b.T", "*main.Index": "*Index", "interface {}": "any", "[]interface {}": "[]any",
		"*example.com/go-util.T": "*util.T", "example.com/gopher-lua.LString": "lua.LString", "map[string]example.com/x-go/b.T": "map[string]b.T", "[]example.com/mqtt-go.T": "[]mqtt.T",
		"[]uint8": "[]byte", "map[string][]uint8": "map[string][]byte", "[4]uint8": "[4]uint8", "uint8": "uint8", "[]main.uint8s": "[]uint8s",
		"interface {}(*main.T) nil": "any(*T) nil", "func(interface {}, []uint8)": "func(any, []byte)", "interface { Read([]uint8) int }": "interface { Read([]byte) int }",
	} {
		if got := ShortType(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestIsWrapper(t *testing.T) {
	for name, want := range map[string]bool{"main.main.gowrap1": true, "main.(*T).run.func1.deferwrap2": true, "main.main.func1": false, "main.gowrap": false} {
		if got := IsWrapper(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestLiteralDepth(t *testing.T) {
	for name, want := range map[string]int{
		"main.main": 0, "main.main.func1": 1, "main.main.func2.1": 2, "main.(*T[go.shape.int]).run.func1.2.3": 3, "main.run[...].func1": 1, "main.run.func5.func6.func7": 3,
		"main.run-range1.func2": 1, "main.init.func1": 1, "main.func1": 0, "main.run.other.func3": 1, "main.run.func1-range1": 1, "main.run.func1.func2": 2,
	} {
		if got := LiteralDepth(name); got != want {
			t.Errorf("%s is in %d literals, want %d", name, got, want)
		}
	}
}
