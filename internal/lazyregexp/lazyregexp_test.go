package lazyregexp

import "testing"

// In a test an expression with an error panics where it is written, so that none
// waits for its first use.
func TestAnErrorIsFoundByTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it was not compiled")
		}
	}()
	New(`a(b`)
}

func TestItIsCompiledAtItsFirstUse(t *testing.T) {
	inTest = false
	defer func() { inTest = true }()
	r := New(`a(b)`)
	if !r.MatchString("cab") || r.MatchString("a") {
		t.Error("it does not match as regexp's would")
	}
}
