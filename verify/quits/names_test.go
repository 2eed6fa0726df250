package quits_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/quits"
)

// TestOtherMeaningsAreSeen: a predeclared name that a candidate declares changes what
// the statements around it, and the tests, do.
func TestOtherMeaningsAreSeen(t *testing.T) {
	for name, tt := range map[string]struct {
		before, after string
		want          string
	}{
		"a function":         {"", "package p\n\nfunc len(any) int { return 0 }\n", "another len than Go's (p.go:3)"},
		"that panics not":    {"", "package p\n\nfunc panic(any) {}\n", "another panic"},
		"a type":             {"", "package p\n\ntype string struct{}\n", "another string"},
		"a constant":         {"", "package p\n\nconst true = false\n", "another true"},
		"in a function":      {"", "package p\n\nfunc f() {\n\tpanic := func(any) {}\n\tpanic(1)\n}\n", "another panic than Go's (p.go:4)"},
		"another one":        {"", "package p\n\nfunc f() {\n\tlen := func(any) int { return 0 }\n\t_ = len\n}\n", "another len"},
		"a parameter":        {"", "package p\n\nfunc f(panic func(any)) { panic(1) }\n", "another panic"},
		"of a literal":       {"", "package p\n\nvar f = func(len func(any) int) int { return len(1) }\n", "another len"},
		"a local type":       {"", "package p\n\nfunc f() {\n\ttype int int8\n}\n", "another int"},
		"a loop's":           {"", "package p\n\nfunc f() {\n\tfor nil := range 3 {\n\t\t_ = nil\n\t}\n}\n", "another nil"},
		"a method's value":   {"", "package p\n\nfunc (s S) f() {\n\tappend := s.app\n\ts.l = append(s.l, 1)\n}\n", "another append than Go's (p.go:4)"},
		"what a call gives":  {"", "package p\n\nfunc f(s []int) int {\n\tvar len = zero()\n\treturn len(s)\n}\n", "another len"},
		"of a list":          {"", "package p\n\nfunc f(s []int) {\n\tfor _, len := range []func([]int) int{zero} {\n\t\tprint(len(s))\n\t}\n}\n", "another len"},
		"of a named type":    {"", "package p\n\nfunc f(s []int, cap counter) int { return (cap)(s) }\n", "another cap"},
		"a length elsewhere": {"", "package p\n\nfunc f(s []int) int {\n\tif len := len(s); len > 0 {\n\t\tfor _, new := range s {\n\t\t\tprint(new)\n\t\t}\n\t}\n\treturn len(s) + *new(int)\n}\n", ""},
		"that was there":     {"package p\n\nfunc len(any) int { return 0 }\n", "package p\n\nfunc len(any) int { return 1 }\n", ""},
		"a length":           {"", "package p\n\nfunc f(s []int) int {\n\tlen := len(s)\n\treturn len\n}\n", ""},
		"a common argument":  {"", "package p\n\nfunc f(new, cap int, error string) int { return new }\n", ""},
		"a method":           {"", "package p\n\ntype q struct{ len int }\n\nfunc (q) cap() int { return 0 }\n", ""},
		"for older Go":       {"", "package p\n\nfunc max(a, b int) int { return a }\n", ""},
		"which is used":      {"", "package p\n\nfunc min(a, b int) int { return a }\n", "another min"},
	} {
		used := func(name string) bool { return name == "min" }
		got := quits.Redeclared("p.go", tt.before, tt.after, used)
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if !quits.Uses("package p\n\nvar x = min(1, 2)\n", "min") || quits.Uses("package p\n\nvar x = stats.min\n", "min") {
		t.Error("a field or method of the name counts as a use of it")
	}
}

// TestQuestionsAreSeen: code that knows when a test runs it can answer what that expects, and
// code that starts programs or has others' powers does what no run shows.
func TestQuestionsAreSeen(t *testing.T) {
	const reads = "package p\n\nimport \"os\"\n\nvar x, _ = os.ReadFile(\"testdata/want.txt\")\n"
	const runs = "package p\n\nimport \"os/exec\"\n\nfunc f() { _ = exec.Command(\"a\").Run() }\n"
	const sends = "package p\n\nimport \"net/http\"\n\nfunc f(c *http.Client, r *http.Request) { c.Do(r) }\n"
	const serves = "package p\n\nimport \"net/http\"\n\nfunc f(s *http.Server) {}\n"
	imports := func(path, rest string) string { return "package p\n\nimport \"" + path + "\"\n\n" + rest + "\n" }
	for name, tt := range map[string]struct{ before, after, want string }{
		"testing":        {"", imports("testing", "var x = testing.Testing()"), "testing.Testing (p.go:5)"},
		"by a dot":       {"", "package p\n\nimport . \"testing\"\n\nvar x = Testing()\n", "testing (p.go:3)"},
		"its caller":     {"", imports("strings", "func f(file string) bool { return strings.HasSuffix(file, \"_test.go\") }"), `"_test.go"`},
		"its expected":   {"", "package p\n\nvar x = \"testdata/want.txt\"\n", `"testdata"`},
		"its process":    {"", "package p\n\nvar x = \"/proc/self/cmdline\"\n", `"/proc/"`},
		"its program":    {"", imports("os", "var x = os.Args[0] == \"a\""), "os.Args"},
		"its flags":      {"", imports("flag", "var x = flag.Lookup(\"test.v\")"), "flag.Lookup"},
		"its stack":      {"", imports("runtime/debug", "var x = string(debug.Stack())"), "runtime/debug.Stack"},
		"its profiles":   {"", imports("runtime/pprof", "var x = pprof.Profiles()"), "runtime/pprof.Profiles"},
		"what calls it":  {"", imports("runtime", "func f() { runtime.Caller(1) }"), "runtime.Caller (p.go:5)"},
		"what logs":      {"", imports("log", "func f(l *log.Logger) { _ = l.Output(2, \"\") }"), "Output"},
		"what it is in":  {"", imports("runtime/debug", "var x, _ = debug.ReadBuildInfo()"), "runtime/debug.ReadBuildInfo"},
		"in parts":       {"", "package p\n\nvar x = \"te\" + (\"st\" + `data`) + \"/a\"\n", `"testdata"`},
		"parts of a sum": {"", "package p\n\nvar x = \"a\" + b + \"c\" + f(\"te\"+\"stdata\")\n", `"testdata"`},
		"a program":      {"", imports("os/exec", "var x = exec.Cmd{Path: \"/bin/sh\"}"), "os/exec.Cmd"},
		"by a server":    {"", imports("net/http/cgi", "var x = cgi.Handler{Path: \"/bin/sh\"}"), "net/http/cgi.Handler"},
		"by another":     {runs, runs + "\nfunc g() { _ = exec.Command(\"b\").Run() }\n", "os/exec.Command (p.go:7)"},
		"a tester":       {"", imports("testing", "var x = testing.Init"), "testing.Init (p.go:5)"},
		"its goroutines": {"", imports("runtime", "var x = runtime.NumGoroutine()"), "runtime.NumGoroutine"},
		"joined":         {"", imports("path/filepath", "var x = filepath.Join(\"/\", \"proc\", \"self\")"), `"proc"`},
		"by a pattern":   {"", imports("path/filepath", "var x, _ = filepath.Glob(\"*_te?t.go\")"), "path/filepath.Glob"},
		"what it reads":  {"", imports("os", "var x, _ = os.ReadFile(name)"), "os.ReadFile"},
		"by a parser":    {"", imports("go/parser", "var x, _ = parser.ParseDir(f, \".\", nil, 0)"), "go/parser.ParseDir"},
		"as a server":    {"", imports("net/http", "var x, _ = http.Dir(\".\").Open(\"/\")"), "net/http.Dir"},
		"by a template":  {"", imports("text/template", "var x = template.New(\"a\")"), "text/template.New"},
		"by reflection":  {"", imports("reflect", "var x = reflect.ValueOf(f).MethodByName(\"Ch\" + \"dir\")"), "MethodByName"},
		"any method":     {"", imports("reflect", "func f(v reflect.Value) {\n\tfor range v.Methods() {\n\t}\n}"), "Methods (p.go:6)"},
		"any function":   {"", imports("reflect", "var x = reflect.ValueOf(f).MapIndex(k).Call(nil)"), "Call (p.go:5)"},
		"a call of ours": {"", "package p\n\nfunc f(c client) { c.Call(nil) }\n", ""},
		"it listens":     {"", imports("net/http", "func f() { go http.ListenAndServe(\":80\", nil) }"), "net/http.ListenAndServe"},
		"its server":     {serves, strings.Replace(serves, "}", "\n\ts.ListenAndServe()\n}", 1), "ListenAndServe (p.go:6)"},
		"with a key":     {"", imports("crypto/tls", "var x, _ = tls.Listen(\"tcp\", \":80\", nil)"), "crypto/tls.Listen"},
		"it sends":       {"", imports("net/http", "var x, _ = http.Post(a, b, c)"), "Post (p.go:5)"},
		"by a client":    {"", imports("net/http", "var x, _ = (&http.Client{}).Get(a)"), "net/http.Client"},
		"by that":        {sends, sends + "\nfunc g() { http.DefaultClient.Post(a, b, c) }\n", "Post (p.go:7)"},
		"another client": {sends, sends + "\nfunc g() *http.Client { return http.DefaultClient }\n", ""},
		"it answers":     {"", imports("net/http", "func f(w http.ResponseWriter, r *http.Request) { http.Error(w, r.Header.Get(\"a\"), http.StatusNotFound) }"), ""},
		"a certificate":  {"", imports("crypto/tls", "var x = tls.Config{MinVersion: tls.VersionTLS12}"), ""},
		"a socket":       {"", imports("net", "var x, _ = net.Listen(\"unix\", \"n.txt\")"), "net.Listen"},
		"an address":     {"", imports("net", "var x = net.ParseIP(\"::1\")"), ""},
		"a path":         {"", imports("path/filepath", "var x = filepath.Join(\"a\", \"process\")"), ""},
		"its variables":  {"", imports("expvar", "var x = expvar.Get(\"cmdline\")"), "expvar.Get"},
		"as before":      {reads, reads + "\nvar y, _ = os.ReadFile(\"testdata/other.txt\")\n", ""},
		"the same":       {runs, strings.Replace(runs, `"a"`, `"a", "b"`, 1), ""},
		"something else": {"", "package p\n\nvar x = \"a.tests /process\"\n", ""},
		"cryptography":   {"", imports("crypto/sha256", "var x = sha256.Sum256(nil)"), ""},
		"of their own":   {"", imports("m/exec", "var x = exec.Cmd{}"), ""},
		"a library's":    {"", imports("example.com/exec", "var x = exec.Cmd{}"), ""},
		"files":          {"", imports("os", "var x = os.WriteFile(\"a\", nil, os.ModePerm)"), ""},
		"tests' helpers": {"", imports("testing", "func f(t testing.TB) { t.Helper() }"), ""},
		"a command's":    {"", imports("os/exec", "func f(c interface{ Output() }) { c.Output() }"), ""},
		"the logger's":   {"", imports("log", "var x = log.New(nil, \"\", log.LstdFlags)"), ""},
	} {
		got := quits.Asks("p.go", tt.before, tt.after, func(path string) bool { return strings.HasPrefix(path, "m/") }, true)
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if got := quits.Asks("p.go", "", imports("os", "var x = len(os.Args)"), nil, false); got != "" {
		t.Errorf("a program's arguments: %q", got)
	}
}
