package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/session"
)

// trees has tests that compare values whose difference is deep inside, with and without
// a library of somebody else's.
const trees = `
-- go.mod --
module example.org/trees

go 1.26

require example.com/assert v1.0.0
-- vendor/modules.txt --
# example.com/assert v1.0.0
## explicit; go 1.25
example.com/assert
-- vendor/example.com/assert/assert.go --
package assert

import "reflect"

type T interface{ Errorf(string, ...any) }

func Equal(t T, want, got any) {
	if !reflect.DeepEqual(want, got) {
		Fail(t, "Not equal:")
	}
}

func Fail(t T, text string) { t.Errorf("%s", text) }
-- tree.go --
package trees

type node struct {
	name string
	kids map[string][]*node
}

func grow(leaf string) *node {
	return &node{name: "root", kids: map[string][]*node{"a": {{name: "x"}, {name: leaf}}}}
}
-- tree_test.go --
package trees

import (
	"reflect"
	"testing"

	"example.com/assert"
)

func TestDeep(t *testing.T) {
	got, want := grow("y"), grow("z")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("grow = %v, want %v", got, want)
	}
}

func TestAssert(t *testing.T) {
	want := grow("z")
	got := grow("y")
	assert.Equal(t, want, got)
}
`

func TestAFailingTestSaysWhereItsValuesDiffer(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"TestDeep":   `got.kids["a"][1].name is "y", want.kids["a"][1].name is "z"`,
		"TestAssert": `want.kids["a"][1].name is "z", got.kids["a"][1].name is "y"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts, _ := askingOptions(module(t, trees), -1, "none")
			opts.Target.Test, opts.Target.Args = true, []string{"-test.run=" + name}
			p := play(t, opts)
			s := p.until("it is explained", func(s session.State) bool {
				stop, ok := s.CurrentStop()
				return atTest(name)(s) && ok && stop.Diagnosis != nil
			})
			if stop, _ := s.CurrentStop(); !strings.HasPrefix(stop.Diagnosis.Sentence, want) {
				t.Errorf("%q, want %q", stop.Diagnosis.Sentence, want)
			}
		})
	}
}
