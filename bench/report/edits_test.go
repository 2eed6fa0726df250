package report

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

// A stored diff is drawn as the edit that it was made of.
func TestEdits(t *testing.T) {
	long := strings.Repeat("line\n", 30) + "a\n" + strings.Repeat("line\n", 30)
	for _, e := range []patch.Edit{
		{File: "a.go", Before: "a\nb\nc\n", After: "a\nc\n"},
		{File: "dir/a.go", Before: "first\n" + long, After: "one\ntwo\n" + strings.Replace(long, "a\n", "--- b\n+++ c\n", 1)},
		{File: "new.go", After: "package a\n", Create: true},
		{File: "a.go", Before: long, After: strings.Replace(long, "a\n", "", 1) + "end"},
	} {
		list, ok := Edits(patch.Unified(e))
		if !ok || len(list) != 1 || list[0].File != e.File {
			t.Fatalf("%+v %t\n%s", list, ok, patch.Unified(e))
		}
		want, got := patch.Hunks(patch.Edit{Before: e.Before, After: strings.TrimSuffix(e.After, "\n") + "\n"}), patch.Hunks(list[0])
		for i := range got {
			if len(want) != len(got) || got[i].OldStart != want[i].OldStart || got[i].NewStart != want[i].NewStart || !reflect.DeepEqual(textOf(got[i]), textOf(want[i])) {
				t.Errorf("%+v\n%+v", got, want)
			}
		}
	}
	two := patch.Unified(patch.Edit{File: "a.go", Before: "a\n", After: "b\n"}) + patch.Unified(patch.Edit{File: "b.go", Before: "a\n", After: "b\n"})
	if list, ok := Edits(two); !ok || len(list) != 2 || list[1].File != "b.go" || list[0].After != "b\n" {
		t.Errorf("%+v", list)
	}
	for _, bad := range []string{"", "no diff", "--- a/x\n+++ b/x\n@@ -999999999 +1 @@\n-a\n+b\n", "--- a/x\n+++ b/x\n@@ -1,5 +1,2 @@\n-a\n", "@@ -1 +1 @@\n-a\n+b\n",
		"--- a/x\n+++ b/x\n@@ -9 +9 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n", "--- \n@@ -1,-5 +1 @@\n", "--- a\n+++ b\n@@ -1 +1 @@\nxa\n"} {
		if list, ok := Edits(bad); ok {
			t.Errorf("%q: %+v", bad, list)
		}
	}
}

func textOf(h patch.Hunk) []string {
	var list []string
	for _, l := range h.Lines {
		list = append(list, string(rune(l.Op))+strings.TrimSuffix(l.Text, "\n"))
	}
	return list
}
