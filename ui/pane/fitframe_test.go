package pane

import "testing"

// What matters last goes first: the receiver's star, the receiver, the file, and then
// the end of the function.
func TestFramesFit(t *testing.T) {
	const add = "example.com/indexer/index.(*Index).Add"
	for _, c := range []struct {
		function, place string
		w               int
		bare            bool
		name, at        string
	}{
		{add, "index.go:43", 40, false, "index.(*Index).Add", "index.go:43"},
		{add, "index.go:43", 40, true, "Index.Add", "index.go:43"},
		{add, "index.go:43", 25, false, "Index.Add", "index.go:43"},
		{add, "index.go:43", 16, false, "Add", "index.go:43"},
		{add, "index.go:43", 12, false, "Add", ":43"},
		{add, "index.go:43", 7, false, "Add", ":43"},
		{add, "index.go:43", 6, false, "A…", ":43"},
		{"main.(*List[go.shape.struct { example.com/a.k string; example.com/a.w float64 }]).Merge", "list.go:5", 40, false, "(*List[...]).Merge", "list.go:5"},
		{"example.com/gum/choose.model.Update", "choose.go:137", 20, false, "Update", "choose.go:137"},
		{"example.com/gum/choose.model.Update.func1", "choose.go:137", 21, true, "Update.func1", ":137"},
		{"example.com/gum/choose.Run.func1", "choose.go:137", 19, true, "Run.func1", ":137"},
		{"main.main", "", 4, false, "ma…", ""},
	} {
		if name, at := fitFrame(c.function, c.place, c.w, c.bare); name != c.name || at != c.at {
			t.Errorf("%s %s in %d cells: %q %q, want %q %q", c.function, c.place, c.w, name, at, c.name, c.at)
		}
	}
}
