package verify

import (
	"testing"

	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// What is read beyond a length was left there by others.
func TestSlicesBeyondALength(t *testing.T) {
	f := crashing(t, "frame")
	all := f.verifier(t, execute.Options{})
	v := check(t, all, f.edit(t, "main.go", "len(received))", "len(received), 256)"))
	expect(t, v, verdict.Masking, verdict.Warn, "it takes a slice beyond the length of r.buf")
	if v.Verified || v.Effect != verdict.Skips || v.Has(verdict.AtOrigin) {
		t.Errorf("verdict %+v", v)
	}
	if v = check(t, all, f.edit(t, "main.go", "\\x20hi", "\\x01hi")); !v.Verified || v.Effect != verdict.Repairs {
		t.Errorf("within the length: verdict %+v", v)
	}
}
