package effect_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/syntax"
)

// TestEndsUnseen are candidates that would pass every check by ending the
// program before it comes to the site.
func TestEndsUnseen(t *testing.T) {
	const created = "package created"
	others := []effect.Package{
		{Own: true, Texts: []string{"package p\n\nimport \"os\"\n\ntype app struct{}\n\nfunc (app) done() { os.Exit(0) }\n\nfunc bye() { defer shut(0) }\n\nfunc shut(code int) {\n\tif code >= 0 {\n\t\tos.Exit(code)\n\t}\n}\n\nfunc fail(error) { os.Exit(2) }\n"}},
		{Path: "example.com/m/util", Texts: []string{"package util\n\nimport \"os\"\n\nfunc Quit() { os.Exit(0) }\n"}},
	}
	for name, tt := range map[string]struct{ after, want string }{
		"before main":       {"package p\n\nimport \"os\"\n\nfunc init() {\n\tos.Exit(0)\n}\n", "os.Exit (p.go:6)"},
		"a variable":        {"package p\n\nimport \"os\"\n\nvar x = func() int { os.Exit(0); return 1 }()\n", "os.Exit"},
		"another name":      {"package p\n\nimport other \"os\"\n\nfunc init() {\n\tquit := other.Exit\n\tquit(0)\n}\n", "os.Exit"},
		"with a dot":        {"package p\n\nimport . \"os\"\n\nfunc init() {\n\tExit(0)\n}\n", "os.Exit"},
		"a goroutine":       {"package p\n\nimport \"os\"\n\nfunc f() {\n\tgo func() { os.Exit(0) }()\n}\n", "os.Exit"},
		"the system call":   {"package p\n\nimport \"syscall\"\n\nfunc f() {\n\tsyscall.RawSyscall(231, 0, 0, 0)\n}\n", "syscall.RawSyscall"},
		"a child's files":   {"package p\n\nimport \"syscall\"\n\nvar pid, _ = syscall.ForkExec(\"/bin/sh\", []string{\"sh\", \"-c\", \"echo >&3\"}, &syscall.ProcAttr{Files: []uintptr{0, 1, 2, 3}})\n", "syscall.ForkExec"},
		"a file's contents": {"package p\n\nimport \"syscall\"\n\nfunc f(in int) {\n\tsend := syscall.Sendfile\n\tsend(3, in, nil, 9)\n}\n", "syscall.Sendfile"},
		"calls with a dot":  {"package p\n\nimport . \"syscall\"\n\nfunc f(in int) {\n\tSendfile(3, in, nil, 9)\n}\n", "syscall (p.go:3)"},
		"asks the system":   {"package p\n\nimport \"syscall\"\n\nfunc f() (s syscall.Stat_t) {\n\tif syscall.Stat(\"p\", &s) == syscall.ENOENT {\n\t\ts.Size = int64(syscall.Getpid())\n\t}\n\treturn s\n}\n", ""},
		"a signal":          {"package p\n\nimport \"os\"\n\nfunc f() {\n\tp, _ := os.FindProcess(os.Getpid())\n\tp.Kill()\n}\n", "os.FindProcess"},
		"the counters":      {"package p\n\nimport \"os\"\n\nvar f = os.NewFile(3, \"\")\n", "os.NewFile"},
		"one of its own":    {"package p\n\nimport \"os\"\n\nfunc init() {\n\tquit()\n}\n\nfunc quit() {\n\tos.Exit(0)\n}\n", "quit (p.go:6)"},
		"all its threads":   {"package p\n\nimport \"syscall\"\n\nfunc f() {\n\tsyscall.AllThreadsSyscall(231, 0, 0, 0)\n}\n", "syscall.AllThreadsSyscall"},
		"help":              {"package p\n\nimport \"flag\"\n\nfunc init() {\n\tflag.NewFlagSet(\"\", flag.ExitOnError).Parse([]string{\"-h\"})\n}\n", "flag.NewFlagSet"},
		"help by number":    {"package p\n\nimport \"flag\"\n\nfunc init() {\n\tvar f flag.FlagSet\n\tf.Init(\"\", 1)\n\tf.Parse([]string{\"-h\"})\n}\n", "flag.FlagSet"},
		"help, again":       {"package p\n\nimport \"flag\"\n\nfunc init() {\n\tflag.CommandLine.Parse([]string{\"-h\"})\n}\n", "flag.CommandLine"},
		"no tests":          {"package p\n\nimport \"testing\"\n\nfunc init() {\n\ttesting.Main(nil, nil, nil, nil)\n}\n", "testing.Main"},
		"other tests":       {"package p\n\nimport \"testing\"\n\nfunc init() {\n\ttesting.Init()\n}\n", "testing.Init"},
		"other flags":       {"package p\n\nimport \"flag\"\n\nfunc init() {\n\t_ = flag.Set(\"test.run\", \"^$\")\n}\n", "flag.Set"},
		"flags by name":     {"package p\n\nimport \"flag\"\n\nfunc init() {\n\t_ = flag.Lookup(\"update\").Value.Set(\"true\")\n}\n", "flag.Lookup"},
		"all flags":         {"package p\n\nimport \"flag\"\n\nfunc init() {\n\tflag.VisitAll(func(f *flag.Flag) { _ = f.Value.Set(\"true\") })\n}\n", "flag.VisitAll"},
		"another directory": {"package p\n\nimport \"os\"\n\nfunc init() {\n\t_ = os.Chdir(\"/tmp\")\n}\n", "os.Chdir"},
		"by a test's means": {"package p\n\nimport \"testing\"\n\nfunc init() {\n\tnew(testing.T).Setenv(\"UPDATE\", \"1\")\n}\n", "Setenv"},
		"own flags":         {"package p\n\nimport \"flag\"\n\nvar n = flag.Int(\"n\", 1, \"\")\n\nfunc main() { flag.Parse() }\n", ""},
		"any memory":        {"package p\n\nimport \"unsafe\"\n\nfunc f(at uintptr) {\n\t*(*int)(unsafe.Pointer(at)) = 1\n}\n", "unsafe.Pointer"},
		"other arguments":   {"package p\n\nimport \"os\"\n\nfunc init() {\n\tos.Args = os.Args[:1]\n}\n", "os.Args (p.go:6)"},
		"one argument":      {"package p\n\nimport sys \"os\"\n\nfunc init() {\n\tsys.Args[1] = \"-h\"\n}\n", "os.Args"},
		"reads arguments":   {"package p\n\nimport \"os\"\n\nfunc f() bool {\n\treturn len(os.Args) < 2\n}\n", ""},
		"a library":         {"package p\n\nimport \"example.com/log\"\n\nfunc init() {\n\tlog.FlushAndExit(0, 0)\n}\n", "log.FlushAndExit"},
		"there":             {"package p\n\nfunc init() {\n\tshut(0)\n}\n", "shut (p.go:4)"},
		"there, by way of":  {"package p\n\nfunc init() {\n\tbye()\n}\n", "bye (p.go:4)"},
		"a method there":    {"package p\n\nfunc init() {\n\tapp{}.done()\n}\n", "done (p.go:4)"},
		"as a value":        {"package p\n\nfunc init() {\n\tf := app{}.done\n\tf()\n}\n", "done (p.go:4)"},
		"of another":        {"package p\n\nimport u \"example.com/m/util\"\n\nfunc init() {\n\tu.Quit()\n}\n", "u.Quit (p.go:6)"},
		"a failure there":   {"package p\n\nfunc f(err error) {\n\tfail(err)\n}\n", ""},
		"only the helper":   {"package p\n\nimport \"os\"\n\nfunc quit() {\n\tos.Exit(0)\n}\n", ""},
		"a method":          {"package p\n\ntype os struct{}\n\nfunc (os) Exit(int) {}\n\nfunc f() { os{}.Exit(0) }\n", ""},
		"other system use":  {"package p\n\nimport \"syscall\"\n\nvar s = syscall.SIGTERM\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: created, After: tt.after}}}, others...).Hides
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("hides %q, want %q", got, tt.want)
			}
		})
	}
}

// TestArgumentsThatWereTaken may be read, and not set: a new write is not made up for by one
// that is gone, and what was there may not get them.
func TestArgumentsThatWereTaken(t *testing.T) {
	const before = "package p\n\nimport \"os\"\n\nfunc main() {\n\targs := os.Args[1:]\n\trun(args)\n\tlegacy(os.Args)\n\tfirst(nil)\n}\n\nfunc first(a []string) {\n\tif len(a) > 0 {\n\t\ta[0] = \"-h\"\n\t}\n}\n"
	for name, tt := range map[string]struct {
		after string
		hides bool
	}{
		"read":     {strings.Replace(before, "run(args)", "if len(args) == 0 {\n\t\treturn\n\t}\n\trun(args)", 1), false},
		"an alias": {strings.Replace(before, "run(args)", "args[0] = \"-h\"\n\trun(args)", 1), true},
		"swapped":  {strings.Replace(before, "legacy(os.Args)", "os.Args[1] = \"-h\"", 1), true},
		"there":    {strings.Replace(before, "first(nil)", "first(args)", 1), true},
	} {
		got := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: tt.after}}}).Hides
		if strings.Contains(got, "unseen: os.Args") != tt.hides {
			t.Errorf("%s: hides %q", name, got)
		}
	}
}

// TestEndsThatWereThere may stay, move, and be marked.
func TestEndsThatWereThere(t *testing.T) {
	const before = "package p\n\nimport \"os\"\n\nfunc init() {\n\tos.Exit(0)\n}\n\nfunc f(x *int) {\n\tuse(*x)\n}\n"
	for name, after := range map[string]string{
		"elsewhere": strings.Replace(before, "use(*x)", "use(1)", 1),
		"moved":     strings.Replace(before, "func init()", "var y = 1\n\nfunc init()", 1),
		"marked":    strings.Replace(before, "use(*x)", "if x == nil {\n\t\tos.Exit(1)\n\t}\n\tuse(*x)", 1),
	} {
		if got := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}}).Hides; strings.Contains(got, "unseen") {
			t.Errorf("%s: hides %q", name, got)
		}
	}
	failing := strings.Replace(before, "os.Exit(0)", "if broken() {\n\t\tdefer os.Exit(2)\n\t}", 1)
	for status, hides := range map[string]bool{"0": true, "ok": true, "0x0": true, "3": false} {
		after := strings.Replace(failing, "os.Exit(2)", "os.Exit("+status+")", 1)
		if got := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: failing, After: after}}}).Hides; strings.Contains(got, "unseen: os.Exit") != hides {
			t.Errorf("2 becomes %s: hides %q", status, got)
		}
	}
}
