package pane

import (
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestWhatIsNotSetIsNotShown(t *testing.T) {
	v := debugger.Variable{Name: "n", Kind: reflect.Int, Type: "int", Value: "824634330112", Unset: true}
	if got := Brief(v, 40); got != "not set yet" {
		t.Errorf("Brief: %q", got)
	}
}

func TestATypedNilIsNoNil(t *testing.T) {
	v := debugger.Variable{Name: "err", Kind: reflect.Interface, Type: "error", Value: "error(*fs.PathError) nil", Children: []debugger.Variable{{Kind: reflect.Pointer, Type: "*fs.PathError", Nil: true}}}
	if got := Brief(v, 40); got != "error(*fs.PathError) nil" {
		t.Errorf("Brief: %q", got)
	}
}
