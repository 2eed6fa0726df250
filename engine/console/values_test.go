package console

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestAStringThatIsCutLosesNoBytes(t *testing.T) {
	text := "\xff\xfe" + strings.Repeat("a", 100)
	v := debugger.Variable{Name: "s", Type: "string", Kind: reflect.String, Value: text, Len: int64(len(text))}
	if got, want := brief(v, 10), `s = "\xff\xfeaaaaaaaa"… 92 more`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
