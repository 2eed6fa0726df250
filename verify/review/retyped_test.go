package review_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/review"
)

// An operation that stands as it did means something else for another type.
func TestRetyped(t *testing.T) {
	const server = "package p\n\ntype config struct{ max int }\n\ntype server struct {\n\tcfg *config\n}\n\nfunc (s *server) use(c *config) { s.cfg = c }\n\nfunc (s *server) f(n int) bool {\n\treturn s.cfg.max < n // here\n}\n"
	plugged := strings.NewReplacer("struct{ max int }", "interface{ max() int }", "*config", "config", "s.cfg.max", "s.cfg.max()").Replace(server)
	const board = "package p\n\ntype board struct{ list []int }\n\nfunc (b *board) f(i int) int {\n\treturn b.list[i] // here\n}\n"
	const frame = "package p\n\ntype reader struct{ buf []byte }\n\nfunc (r *reader) f(n int) string {\n\tpart := r.buf[1 : 1+n] // here\n\treturn string(part)\n}\n"
	const mean = "package p\n\ntype sample struct{ sum, n int }\n\nfunc (s *sample) f() float64 {\n\treturn float64(s.sum / s.n) // here\n}\n"
	const due = "package p\n\nimport \"time\"\n\ntype job struct{ due *time.Time }\n\nfunc (j *job) f(now time.Time) bool {\n\treturn j.due.Before(now) // here\n}\n\nfunc (j *job) at(t time.Time) { j.due = &t }\n"
	const users = "package p\n\nimport \"example.com/m/store\"\n\nfunc f(d *store.Users, name string) bool {\n\tu := d.By[name]\n\treturn u.Blocked // here\n}\n"
	const store = "package store\n\ntype User struct{ Blocked bool }\n\ntype Users struct{ By map[string]*User }\n"
	const shape = "package p\n\ntype round int\n\nfunc f(v any) any {\n\treturn v.(round) // here\n}\n"
	for _, tt := range []struct {
		name, before string
		op           review.Operation
		edit         []string
		want         string // of how; "beyond" of a point
	}{
		{"a struct for a pointer", server, review.Dereference, []string{"cfg *config", "cfg config", "s.cfg = c", "s.cfg = *c"}, "s.cfg from *config to config, so that there is a zero value"},
		{"by way of a variable", server, review.Dereference, []string{"cfg *config", "cfg config", "s.cfg = c", "s.cfg = *c", "return s.cfg.max", "c := s.cfg\n\treturn c.max"}, "s.cfg from *config to config"},
		{"it is embedded", strings.NewReplacer("cfg *config", "*config", "s.cfg.max", "s.max", "s.cfg = c", "s.config = c").Replace(server), review.Dereference, []string{"\t*config", "\tconfig", "s.config = c", "s.config = *c"}, "s.config from *config to config"},
		{"which nobody gives a value", server, review.Dereference, []string{"cfg *config", "cfg config"}, "*config to config"},
		{"which nobody gave a value", strings.Replace(server, "s.cfg = c", "s.cfg = new(config)", 1), review.Dereference, []string{"cfg *config", "cfg config", "s.cfg = new(config)", "s.cfg = config{}"}, ""},
		{"a value", server, review.Dereference, []string{"func (s *server) f(", "func newServer() *server { return &server{cfg: &config{}} }\n\nfunc (s *server) f("}, ""},
		{"of another package", due, review.Dereference, []string{"due *time.Time", "due time.Time", "= &t", "= t"}, "j.due from *time.Time to time.Time"},
		{"in another package", users, review.Dereference, []string{"map[string]*User", "map[string]User"}, "u from *store.User to store.User"},
		{"a struct for an interface", plugged, review.Dereference, []string{"interface{ max() int }", "struct{}\n\nfunc (config) max() int { return 0 }"}, "so that there is a zero value"},
		{"a pointer for an interface", plugged, review.Dereference, []string{"\tcfg config", "\tcfg *none", "(c config)", "(c *none)", "type server", "type none struct{}\n\nfunc (*none) max() int { return 0 }\n\ntype server"}, "s.cfg from config to *none, whose methods may run"},
		{"an interface for a pointer", server, review.Dereference, []string{"\tcfg *config", "\tcfg limits", "s.cfg.max", "s.cfg.most()", "type server", "type limits interface{ most() int }\n\nfunc (c *config) most() int { return c.max }\n\ntype server"}, ""},
		{"a map for a slice", board, review.Indexing, []string{"list []int", "list map[int]int"}, "b.list from []int to map[int]int, which answers with a zero value"},
		{"an array for a slice", board, review.Indexing, []string{"list []int", "list [64]int"}, "b.list from []int to [64]int"},
		{"by another declaration", strings.NewReplacer("list []int", "list all", "type board", "type all []int\n\ntype board").Replace(board), review.Indexing, []string{"type all []int", "type all map[int]int"}, "b.list from []int to map[int]int"},
		{"a map that is asked", board, review.Indexing, []string{"list []int", "list map[int]int", "return b.list[i]", "v, ok := b.list[i]\n\tif !ok {\n\t\tpanic(i)\n\t}\n\treturn v"}, ""},
		{"another slice", board, review.Indexing, []string{"list []int", "list []int32", "return b.list[i]", "return int(b.list[i])"}, ""},
		{"a map that is written to", strings.Replace(board, "return b.list[i]", "b.list[i]++; return 0", 1), review.Indexing, []string{"list []int", "list map[int]int"}, ""},
		{"beyond a length", frame, review.Indexing, nil, "beyond the length of r.buf"},
		{"beyond that of another", frame, review.Indexing, []string{"r.buf[1 : 1+n]", "[]byte(\"abc\")[1:2]"}, ""},
		{"of what is called", frame, review.Indexing, []string{"r.buf[1 : 1+n]", "r.all()[1:2]"}, ""},
		{"a float for an integer", mean, review.Division, []string{"sum, n int", "sum, n float64"}, "s.n from int to float64, so that dividing by 0"},
		{"converted to a float", mean, review.Division, []string{"float64(s.sum / s.n)", "float64(s.sum) / float64(s.n)"}, "s.n from int to float64"},
		{"a longer integer", mean, review.Division, []string{"sum, n int", "sum, n int64"}, ""},
		{"any value", shape, review.Assertion, []string{"type round int", "type round = any"}, "round from int to any, which more values are"},
		{"another value", shape, review.Assertion, []string{"type round int", "type round = float64"}, ""},
	} {
		texts := map[string]string{"example.com/m": tt.before, "example.com/m/store": store}
		files := func(edit []string) func(string) map[string]string {
			return func(path string) map[string]string {
				if texts[path] == "" {
					return nil
				}
				return map[string]string{path + ".go": strings.NewReplacer(edit...).Replace(texts[path])}
			}
		}
		line := strings.Count(tt.before[:strings.Index(tt.before, "// here")], "\n") + 1
		how, points := review.Retyped(files(nil), files(tt.edit), review.Failed{Package: "example.com/m", File: "example.com/m.go", Line: line, Operation: tt.op})
		for _, p := range points {
			if tt.op == review.Indexing && strings.Contains(tt.want, "beyond") {
				how += p.How
			}
		}
		if (tt.want == "") != (how == "") || !strings.Contains(how, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, how, tt.want)
		}
	}
}
