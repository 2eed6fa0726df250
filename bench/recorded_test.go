package bench

import (
	"strings"
	"testing"
)

// A case is made of what a session recorded: where the fault is comes from the
// fix, and the case is like one that was written by hand.
func TestRecorded(t *testing.T) {
	r := Recorded{Name: "nil-map-write-1", About: "Counts.", Class: "nil-map-write", Package: ".", StopsIn: "(*T).add", Args: []string{"-n"}, Stdin: []byte("x\n"),
		Module: map[string]string{
			"go.mod":  "module example.com/m\n\ngo 1.26\n",
			"main.go": "package main\n\ntype T struct{ m map[string]int }\n\nfunc newT() *T { return &T{} }\n\nfunc (t *T) add() { t.m[\"a\"]++ }\n\nfunc main() { newT().add() }\n",
		},
		Fixed:  map[string]string{"main.go": "package main\n\ntype T struct{ m map[string]int }\n\nfunc newT() *T { return &T{m: map[string]int{}} }\n\nfunc (t *T) add() { t.m[\"a\"]++ }\n\nfunc main() { newT().add() }\n"},
		Hidden: map[string]string{"main_test.go": "package main\n\nimport \"testing\"\n\nfunc " + HiddenName("TestAdd") + "(t *testing.T) { newT().add() }\n"}}
	data, err := r.Archive()
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse(r.Name+suffix, data)
	if err != nil || c.Fault != Elsewhere || c.FaultIn != "newT" || c.Kind != Program || !c.Hidden.Test || string(c.input[0].Data) != "x\n" {
		t.Errorf("%+v %v", c, err)
	}
	r.QuietIsRight = true
	if err := provenQuiet(t, r); err != nil {
		t.Error(err)
	}
	r.Module["text.go"] = "package main\n\n// A line like a file's name:\n\nconst text = `\n-- main.go --\n`\n"
	if _, err := r.Archive(); err == nil || !strings.Contains(err.Error(), "looks like a file's name") {
		t.Errorf("an archive in an archive: %v", err)
	}
	delete(r.Module, "text.go")
	r.Fixed = map[string]string{"main.go": r.Module["main.go"] + "\n// nothing\n"}
	if _, err := r.Archive(); err == nil {
		t.Error("the fix changes nothing")
	}
}

func provenQuiet(t *testing.T, r Recorded) error {
	data, err := r.Archive()
	if err != nil {
		return err
	}
	c, err := Parse(r.Name+suffix, data)
	if err != nil {
		return err
	}
	return c.Prove(t.Context(), t.TempDir())
}
