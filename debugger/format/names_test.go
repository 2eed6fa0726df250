package format

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestATypesNameIsTakenApart(t *testing.T) {
	for typ, want := range map[string]struct {
		base, arguments string
	}{
		"sync.Mutex":                        {"sync.Mutex", ""},
		"sync/atomic.Pointer[main.T]":       {"sync/atomic.Pointer", "main.T"},
		"main.Pair[string,map[string]int]":  {"main.Pair", "string,map[string]int"},
		"main.Tree[main.Key[int],main.Val]": {"main.Tree", "main.Key[int],main.Val"},
	} {
		if got := base(typ); got != want.base {
			t.Errorf("base of %s: %q", typ, got)
		}
		if got := arguments(typ); got != want.arguments {
			t.Errorf("arguments of %s: %q", typ, got)
		}
	}
}

func TestAWordThatIsZero(t *testing.T) {
	words := func(values ...string) (v debugger.Variable) {
		for _, value := range values {
			v.Children = append(v.Children, debugger.Variable{Value: value})
		}
		return v
	}
	for _, c := range []struct {
		v    debugger.Variable
		want bool
	}{
		{words(), true},
		{words("0", "nil", "unsafe.Pointer(0x0)"), true},
		{words("0", "1"), false},
		{words("unsafe.Pointer(0xc000010000)"), false},
		{debugger.Variable{Children: []debugger.Variable{{Nil: true, Value: "*main.T(0x0)"}}}, true},
	} {
		if zeroWords(c.v) != c.want {
			t.Errorf("%+v is zero: %v", c.v.Children, !c.want)
		}
	}
}

func TestAnUnsafePointersAddress(t *testing.T) {
	for value, want := range map[string]uint64{"unsafe.Pointer(0xc000010000)": 0xc000010000, "unsafe.Pointer(0x0)": 0, "0x10": 16, "nil": 0, "": 0} {
		if got := pointer(debugger.Variable{Value: value}); got != want {
			t.Errorf("%q: %#x", value, got)
		}
	}
}

func TestLongNumbersSayHowLongTheyAre(t *testing.T) {
	if short := strings.Repeat("7", 400); long(short) != short {
		t.Error("400 digits are cut")
	}
	got := long("1" + strings.Repeat("0", 999) + "2")
	if !strings.HasPrefix(got, "100") || !strings.HasSuffix(got, "02 (1001 digits)") || !strings.Contains(got, "…") || len(got) > 330 {
		t.Errorf("%q", got)
	}
}
