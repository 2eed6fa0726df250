package format

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func money() debugger.Variable {
	return debugger.Variable{Type: "shop.Money", FullType: "example.com/shop.Money", Kind: reflect.Struct, Value: "shop.Money{…}", Children: []debugger.Variable{
		{Name: "Units", Type: "int64", Kind: reflect.Int64, Value: "12"},
		{Name: "Cents", Type: "uint8", Kind: reflect.Uint8, Value: "5"},
		{Name: "Currency", Type: "string", Kind: reflect.String, Value: "EUR", Len: 3},
		{Name: "Rate", Type: "float64", Kind: reflect.Float64, Value: "0.33333"},
		{Name: "Final", Type: "bool", Kind: reflect.Bool, Value: "true"},
		{Name: "Items", Type: "[]int", Kind: reflect.Slice, Value: "[]int len 3 cap 4", Len: 3, Cap: 4},
		{Name: "Owner", Type: "*shop.Person", Kind: reflect.Pointer, Children: []debugger.Variable{{Kind: reflect.Struct, Children: []debugger.Variable{
			{Name: "Name", Kind: reflect.String, Value: "Ann", Len: 3}}}}},
		{Name: "Wait", Type: "time.Duration", FullType: "time.Duration", Kind: reflect.Int64, Value: "1000"},
	}}
}

func TestTemplates(t *testing.T) {
	pointer := debugger.Variable{Type: "*shop.Money", FullType: "*example.com/shop.Money", Kind: reflect.Pointer, Children: []debugger.Variable{money()}}
	for template, want := range map[string]string{
		"{Units}.{Cents:02d} {Currency}": "12.05 EUR",
		"{Units:x} {Units:#04x}":         "c 0x000c",
		"{Rate:.2f}":                     "0.33",
		"{Rate}":                         "0.33333",
		"{Currency:q}|{Currency:5s}|":    `"EUR"|  EUR|`,
		"{Final} {len Items} {Items}":    "true 3 []int len 3 cap 4",
		"{{{Owner.Name}}}":               "{Ann}",
		"{Wait}":                         "1µs (1000)",
	} {
		f, err := Parse(map[string]string{"example.com/shop.*": "hex", "example.com/shop.Money": template})
		if err != nil {
			t.Errorf("%s: %v", template, err)
			continue
		}
		for _, v := range []debugger.Variable{money(), pointer} {
			got, err := f.Describe(t.Context(), nil, v)
			if err != nil || got.Text != want {
				t.Errorf("%s: %q, %v; want %q", template, got.Text, err, want)
			}
		}
	}
}

func TestFormatWords(t *testing.T) {
	f, err := Parse(map[string]string{"*.Money": "hide", "main.Flags": "hex"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Describe(t.Context(), nil, money()); err != nil || got.Text != Hidden {
		t.Errorf("%q, %v", got.Text, err)
	}
	if word := f.Word(debugger.Variable{Type: "main.Flags"}); word != "hex" {
		t.Errorf("main.Flags: %q", word)
	}
	missing, err := Parse(map[string]string{"*.Money": "{Nothing}"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := missing.Describe(t.Context(), nil, money()); !errors.Is(err, ErrPlain) {
		t.Errorf("a field that is not there: %q, %v", got.Text, err)
	}
}

func TestMistakes(t *testing.T) {
	for template, want := range map[string]string{
		"{Units":       "is not closed",
		"Units}":       "closes nothing",
		"{Units:02y}":  "is not a field",
		"{a b}":        "is not a field",
		"hexx":         "nor one of hide, hex",
		"":             "neither a template",
		"{Units:02d}}": "closes nothing",
	} {
		_, err := Parse(map[string]string{"main.T": template})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "main.T: ") {
			t.Errorf("%q: %v", template, err)
		}
	}
	if _, err := Parse(map[string]string{"*": "hex"}); err == nil {
		t.Error("a pattern of every type was taken")
	}
}
