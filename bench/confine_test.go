package bench

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// The hidden check comes to the same in the sandbox: the reference fix is right
// there, and the case as it stands is not.
func TestTheSandboxChangesNoJudgment(t *testing.T) {
	testsupport.Slow(t)
	in := &Sandbox{}
	if tier, _ := sandbox.Detect(); tier == sandbox.None {
		t.Skip("no sandbox on this system")
	}
	cases, err := Load(os.DirFS("corpus"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if !c.Open() || !c.CanBeFixed() {
			continue
		}
		dir := t.TempDir()
		if err := c.Warm(t.Context(), filepath.Join(dir, "warm")); err != nil {
			t.Fatal(err)
		}
		fixed, broken := filepath.Join(dir, "fixed"), filepath.Join(dir, "broken")
		if err := errors.Join(c.layout(fixed, c.fixedModule()), c.Layout(broken)); err != nil {
			t.Fatal(err)
		}
		if err := c.Right(t.Context(), fixed, in); err != nil {
			t.Errorf("%s: the reference fix is not right in the sandbox: %v", c.Name, err)
		}
		if wrong := (*WrongError)(nil); !errors.As(c.Right(t.Context(), broken, in), &wrong) {
			t.Errorf("%s: the case as it stands is right in the sandbox", c.Name)
		}
	}
}
