package format

import (
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestFunctionsWithoutDirectories(t *testing.T) {
	for name, want := range map[string]string{
		"main.run":                                    "main.run",
		"example.com/shop/v2/store.Open.func1":        "store.Open.func1",
		"example.com/shop/store.(*DB).Close":          "store.(*DB).Close",
		"example.com/shop/store.Map[example.com/a.T]": "store.Map[example.com/a.T]",
	} {
		if got := debugger.ShortFunction(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestATypedNilIsShownAsSuch(t *testing.T) {
	v := debugger.Variable{Name: "err", Kind: reflect.Interface, Type: "error", Children: []debugger.Variable{{Kind: reflect.Pointer, Type: "*fs.PathError", Nil: true}}}
	const want = "error(*fs.PathError) nil"
	if got, err := Describe(t.Context(), nil, v); err != nil || got.Text != want {
		t.Errorf("Describe: %q, %v", got.Text, err)
	}
	if got, _, err := Write(t.Context(), nil, v, 100); err != nil || got != want {
		t.Errorf("Write: %q, %v", got, err)
	}
	inside := debugger.Variable{Kind: reflect.Struct, Type: "database/sql.Null[error]", FullType: "database/sql.Null[error]",
		Children: []debugger.Variable{{Name: "V", Kind: reflect.Interface, Type: "error", Children: v.Children}, {Name: "Valid", Kind: reflect.Bool, Value: "true"}}}
	if got, err := Describe(t.Context(), nil, inside); err != nil || got.Text != want {
		t.Errorf("as a part: %q, %v", got.Text, err)
	}
}
