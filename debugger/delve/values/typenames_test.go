package values

import "testing"

func TestTypesOfAFrameAreQualified(t *testing.T) {
	for _, c := range []struct{ expr, function, want string }{
		{"s.(*square).n == 3", "main.sum", "s.(*main.square).n == 3"},
		{"s.(square)", "example.com/shapes.Sum", "s.(shapes.square)"},
		{"s.(int)", "main.sum", "s.(int)"},
		{"s.(data).n", "main.sum", "s.(data).n"},
		{"s.(*main.square)", "main.sum", "s.(*main.square)"},
		{"s.(map[key][]*item)", "main.sum", "s.(map[main.key][]*main.item)"},
		{"(*square)(p).n", "main.sum", "(*main.square)(p).n"},
		{"f(x)", "main.sum", "f(x)"},
		{"s.(*square", "main.sum", "s.(*square"},
		{"s.(*square)", "", "s.(*square)"},
	} {
		if got := TypesOf(c.expr, c.function); got != c.want {
			t.Errorf("%s in %s is %s, want %s", c.expr, c.function, got, c.want)
		}
	}
}
