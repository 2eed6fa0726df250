package review_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/review"
)

// A call that stands as it did calls something else if a method shadows that of an embedded
// field, or a field has another type.
func TestRecalled(t *testing.T) {
	const embedded = "package p\n\nimport \"sync\"\n\ntype store struct {\n\tsync.Mutex\n\tn int\n}\n\nfunc (s *store) add() {\n\ts.Lock()\n\tdefer s.Unlock()\n\ts.n++\n}\n"
	const field = "package p\n\nimport \"sync\"\n\ntype store struct {\n\tmu sync.Mutex\n\tn int\n}\n\nfunc (s *store) add() {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.n++\n}\n"
	const user = "package p\n\nimport \"example.com/m/rights\"\n\ntype user struct {\n\t*rights.Rights\n\tname string\n}\n\nfunc remove(u *user) bool {\n\treturn !u.Denied(\"remove\")\n}\n"
	const library = "package p\n\nimport (\n\t\"bytes\"\n\t\"sync\"\n)\n\ntype log struct{ b bytes.Buffer }\n\nfunc (l *log) line(text string) { l.b.WriteString(text) }\n\nvar mu sync.Mutex\n"
	const failing = "package p\n\ntype broken struct{ at int }\n\nfunc (b *broken) Error() string { return \"\" }\n\nfunc check() *broken { return nil }\n\nfunc f() string {\n\terr := check()\n\treturn err.Error()\n}\n"
	own := func(text, more string) string {
		return text + "\ntype guard struct{ " + more + " }\n\nfunc (guard) Lock() {}\n\nfunc (guard) Unlock() {}\n"
	}
	method := func(text, body string) string {
		return text + "\nfunc (u *user) Denied(what string) bool { " + body + " }\n"
	}
	safe := "\ntype safe struct {\n\tmu sync.Mutex\n\tb bytes.Buffer\n}\n\nfunc (s *safe) WriteString(text string) (int, error) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\treturn s.b.WriteString(text)\n}\n"
	const rights = "package rights\n\ntype Rights struct{ list []string }\n\nfunc (r *Rights) Denied(what string) bool { return len(r.list) == 0 }\n"
	const logs = "package p\n\nimport \"example.com/m/rights\"\n\nfunc remove(b *rights.Book) bool { return b.All.Denied(\"remove\") }\n"
	for _, tt := range []struct {
		name, before, after string
		want                string
		locks               bool
	}{
		{"a field in another package", logs, logs + "// loose", "call (*rights.Loose).Denied, not (*rights.Rights).Denied", false},
		{"and passes on", logs, logs + "// exact", "", false},
		{"a method shadows that of a lock", embedded, embedded + "\nfunc (s *store) Lock() { s.TryLock() }\n", "makes s.Lock() call (*store).Lock, not (*sync.Mutex).Lock", true},
		{"that nothing in the package calls", "package p\n\nimport \"sync\"\n\ntype Jobs struct{ sync.WaitGroup }\n", "package p\n\nimport \"sync\"\n\ntype Jobs struct{ sync.WaitGroup }\n\nfunc (*Jobs) Wait() {}\n", "makes Jobs.Wait call (*Jobs).Wait", true},
		{"a method that shadows nothing", embedded, embedded + "\nfunc (s *store) Len() int { return s.n }\n", "", false},
		{"a type of the program for a lock", field, own(strings.Replace(field, "mu sync.Mutex", "mu guard", 1), ""), "makes s.mu.Lock() call (guard).Lock", true},
		{"that only others use", "package p\n\nimport \"sync\"\n\ntype Store struct{ Mu sync.Mutex }\n", own("package p\n\ntype Store struct{ Mu guard }\n", ""), "makes Store.Mu.Lock call (guard).Lock", true},
		{"a type of a library for a lock", field, strings.NewReplacer("mu sync.Mutex", "mu other.Mutex", "\"sync\"", "\"example.com/other\"").Replace(field), "makes s.mu.Lock() call what another package declares", true},
		{"a variable", library, own(strings.Replace(library, "mu sync.Mutex", "mu guard", 1), ""), "makes mu.Lock call (guard).Lock", true},
		{"another lock", field, strings.Replace(field, "sync.Mutex", "sync.RWMutex", 1), "", false},
		{"any lock", field, strings.Replace(field, "sync.Mutex", "sync.Locker", 1), "makes s.mu.Lock() call (sync.Locker).Lock", true},
		{"a pointer to one", field, strings.Replace(field, "sync.Mutex", "*sync.Mutex", 1), "", false},
		{"a channel for a lock", field, strings.NewReplacer("mu sync.Mutex", "mu chan bool", "s.mu.Lock()", "s.mu <- true", "s.mu.Unlock()", "func() { <-s.mu }()").Replace(field), "", false},
		{"a lock for one of the program", own(strings.Replace(field, "mu sync.Mutex", "mu guard", 1), ""), field, "", false},
		{"a method shadows one of another package", user, method(user, "return u.Rights != nil && u.Rights.Denied(what)"), "makes u.Denied(\"remove\") call (*user).Denied, not (*rights.Rights).Denied", false},
		{"and gives it something else", user, method(user, "return u.Rights.Denied(\"\")"), "(*user).Denied", false},
		{"and passes on to it", user, method(user, "return u.Rights.Denied(what)"), "", false},
		{"a variable in its place", strings.Replace(user, "!u.Denied(\"remove\")", "check()", 1) + "\nfunc check() bool { return true }\n", strings.Replace(user, "\treturn !u.Denied(\"remove\")", "\tcheck := func() bool { return false }\n\treturn check()", 1) + "\nfunc check() bool { return true }\n", "makes check() call a function in a variable, not check", false},
		{"a type that locks around a library's", library, strings.Replace(library, "b bytes.Buffer", "b safe", 1) + safe, "", false},
		{"and leaves its work out", library, strings.Replace(library, "b bytes.Buffer", "b safe", 1) + strings.Replace(safe, "return s.b.WriteString(text)", "return 0, nil", 1), "makes l.b.WriteString(text) call (*safe).WriteString, not what another package declares", false},
		{"an interface for a pointer", failing, strings.Replace(failing, "func check() *broken", "func check() error", 1), "", false},
		{"a pointer receiver", strings.Replace(failing, "b *broken", "b broken", 1), failing, "", false},
		{"a call more", failing, strings.Replace(failing, "err := check()", "err := check()\n\t{\n\t\tvar err error\n\t\terr.Error()\n\t}", 1), "", false},
	} {
		files := func(text string) func(string) map[string]string {
			book := map[bool]string{true: "*Loose", false: "*Rights"}[strings.Contains(text, "// ")]
			answer := map[bool]string{true: "false", false: "l.r.Denied(what)"}[strings.Contains(text, "// loose")]
			texts := map[string]string{"example.com/m": text, "example.com/m/rights": rights + "\ntype Book struct{ All " + book + " }\n\ntype Loose struct{ r *Rights }\n\nfunc (l *Loose) Denied(what string) bool { return " + answer + " }\n"}
			return func(path string) map[string]string {
				if texts[path] == "" {
					return nil
				}
				return map[string]string{path + ".go": texts[path]}
			}
		}
		how, locks := review.Recalled(files(tt.before), files(tt.after), "example.com/m")
		if (tt.want == "") != (how == "") || !strings.Contains(how, tt.want) || locks != tt.locks {
			t.Errorf("%s: %q, %v; want %q", tt.name, how, locks, tt.want)
		}
	}
}
