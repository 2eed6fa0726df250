package patch

import (
	"errors"
	"testing"
)

func TestRebase(t *testing.T) {
	const before = "a\nb\nc\nd\ne\n"
	for _, tt := range []struct {
		name, after, now, want string // want empty: a conflict
	}{
		{"unchanged", "a\nb\nX\nd\ne\n", before, "a\nb\nX\nd\ne\n"},
		{"lines above", "a\nb\nX\nd\ne\n", "0\n1\na\nb\nc\nd\ne\n", "0\n1\na\nb\nX\nd\ne\n"},
		{"lines changed elsewhere", "a\nb\nX\nd\ne\n", "A\nb\nc\nd\nE\n", "A\nb\nX\nd\nE\n"},
		{"the line itself changed", "a\nb\nX\nd\ne\n", "a\nb\nC\nd\ne\n", ""},
		{"the line is gone", "a\nb\nX\nd\ne\n", "a\nb\nd\ne\n", ""},
		{"a line in between", "a\nX\nd\ne\n", "a\nb\n1\nc\nd\ne\n", ""},
		{"only added", "a\nb\nX\nc\nd\ne\n", "0\na\nb\nc\nd\n", "0\na\nb\nX\nc\nd\n"},
		{"added where the line before changed", "a\nb\nX\nc\nd\ne\n", "a\nB\nc\nd\ne\n", "a\nB\nX\nc\nd\ne\n"},
		{"two places", "X\na\nb\nc\nd\nY\n", "a\nb\n1\nc\nd\ne\n", "X\na\nb\n1\nc\nd\nY\n"},
		{"removed", "a\nd\ne\n", "a\nb\nc\nd\n2\ne\n", "a\nd\n2\ne\n"},
		{"at the end", before + "X\n", "0\n" + before, "0\n" + before + "X\n"},
	} {
		got, err := Rebase(Edit{File: "f", Before: before, After: tt.after}, tt.now)
		switch {
		case tt.want == "" && !errors.Is(err, ErrConflict):
			t.Errorf("%s: %q, %v", tt.name, got.After, err)
		case tt.want != "" && (err != nil || got.After != tt.want || got.Before != tt.now):
			t.Errorf("%s: %q, %v, want %q", tt.name, got.After, err, tt.want)
		}
	}
}

// An edit of a function does not move into another one that has the same lines.
func TestRebaseStaysInItsFunction(t *testing.T) {
	const guard = "\tif len(list) < 3 {\n\t\treturn 0\n\t}\n"
	const third = "package p\n\nfunc third(list []int) int {\n"
	fixed := third + guard + "\treturn list[2]\n}\n"
	undo := Edit{File: "p.go", Before: fixed, After: third + "\treturn list[2]\n}\n"}
	for _, tt := range []struct{ name, now, want string }{
		{"in another function", third + "\treturn at(list, 2)\n}\n\nfunc at(list []int, i int) int {\n" + guard + "\treturn list[i]\n}\n", ""},
		{"below another one", third[:11] + "func first(list []int) int { return list[0] }\n\n" + fixed[11:], third[:11] + "func first(list []int) int { return list[0] }\n\n" + undo.After[11:]},
		{"in a file that does not parse", "}" + fixed, "}" + undo.After},
	} {
		got, err := Rebase(undo, tt.now)
		if tt.want == "" && !errors.Is(err, ErrConflict) || tt.want != "" && (err != nil || got.After != tt.want) {
			t.Errorf("%s: %q, %v", tt.name, got.After, err)
		}
	}
}

// Nor does it move into another variable, type, init or function literal.
func TestRebaseStaysInItsDeclaration(t *testing.T) {
	const lines = "\tname: 1,\n\tsold: 2,\n"
	for name, tt := range map[string]struct{ was, without, now string }{
		"a variable": {"var shop = Shop{\n" + lines + "}\n", "var shop = Shop{\n\tname: 1,\n}\n", "var shop = newShop()\n\nvar spare = Shop{\n" + lines + "}\n"},
		"a type":     {"type a struct {\n\tx int\n\ty int\n}\n", "type a struct {\n\tx int\n}\n", "type a int\n\ntype b struct {\n\tx int\n\ty int\n}\n"},
		"an init": {"func init() {\n\tf()\n\tg()\n}\n", "func init() {\n\tf()\n}\n",
			"func init() { h() }\n\nfunc init() {\n\tf()\n\tg()\n}\n"},
		"a function literal": {"func f() {\n\tgo func() {\n\t\ta()\n\t\tb()\n\t}()\n}\n", "func f() {\n\tgo func() {\n\t\ta()\n\t}()\n}\n",
			"func f() {\n\tgo h()\n\tgo func() {\n\t}()\n\tdefer func() {\n\t\ta()\n\t\tb()\n\t}()\n}\n"},
	} {
		if got, err := Rebase(Edit{File: "p.go", Before: "package p\n\n" + tt.was, After: "package p\n\n" + tt.without}, "package p\n\n"+tt.now); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: %q, %v", name, got.After, err)
		}
		above := "package p\n\nimport \"fmt\"\n\nvar x = fmt.Sprint()\n\n"
		if got, err := Rebase(Edit{File: "p.go", Before: "package p\n\n" + tt.was, After: "package p\n\n" + tt.without}, above+tt.was); err != nil || got.After != above+tt.without {
			t.Errorf("%s, with others: %q, %v", name, got.After, err)
		}
	}
}

// FuzzRebase: an edit moves along with any lines put before and after, and what
// it does not touch stays.
func FuzzRebase(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nX\nc\n", "0\n", "1\n")
	f.Add("", "x\n", "", "")
	f.Add("a\n", "", "a\n", "a\n")
	f.Fuzz(func(t *testing.T, before, after, head, tail string) {
		if len(before)+len(after)+len(head)+len(tail) > 4000 {
			return
		}
		e, err := Rebase(Edit{Before: before, After: after}, before)
		if err != nil || e.After != after {
			t.Fatalf("on its own base: %q, %v", e.After, err)
		}
		if e, err := Rebase(Edit{Before: before, After: after}, head+before+tail); err == nil && e.Before != head+before+tail {
			t.Fatalf("the base is %q", e.Before)
		}
	})
}
