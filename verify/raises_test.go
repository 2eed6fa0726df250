package verify

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// An error that is reported by a panic, which the program recovers, is one that is returned.
func TestAnErrorByAPanicDeclines(t *testing.T) {
	f := crashing(t, "raises")
	const site, guarded = "\tn := p.anchors[name]", "\tn := p.anchors[name]\n\tif n == nil {\n\t\tp.fail(\"no anchor %q\", name)\n\t}"
	v := f.prove(t, execute.Options{}, f.edit(t, "parser.go", site, guarded))
	expect(t, v, verdict.Rerun, verdict.Warn, `panics with an error of the program's own, which is recovered, then the program ended with exit code 2; it printed last: "bad config: conf: no anchor`)
	if v.Effect != verdict.Declines || !v.Passes() || !strings.Contains(v.How, "when n == nil") {
		t.Errorf("%s: %s", v.Effect, v.How)
	}
	// What makes such an error of the panic itself repairs nothing.
	v = f.prove(t, execute.Options{}, f.edit(t, "parser.go", site, "\tdefer func() {\n\t\tif v := recover(); v != nil {\n\t\t\tp.fail(\"%v\", v)\n\t\t}\n\t}()\n"+site))
	expect(t, v, verdict.Rerun, verdict.Fail, "")
	// What recovers the panic that stopped the program is no such error.
	v = f.prove(t, execute.Options{}, f.edit(t, "errors.go", "\t\tif !ok {\n\t\t\tpanic(v)\n\t\t}\n\t\t*err = e.err", "\t\tif !ok {\n\t\t\te.err = fmt.Errorf(\"conf: %v\", v)\n\t\t}\n\t\t*err = e.err"))
	if v.Passes() {
		t.Errorf("recovered: %+v", v)
	}
}
