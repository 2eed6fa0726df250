package effect

import (
	"strings"
	"testing"
)

// TestEndsUnseen are candidates that would pass every check by ending the
// program before it comes to the site.
func TestEndsUnseen(t *testing.T) {
	const created = "package created"
	for name, tt := range map[string]struct{ after, want string }{
		"before main":      {"package p\n\nimport \"os\"\n\nfunc init() {\n\tos.Exit(0)\n}\n", "os.Exit (p.go:6)"},
		"a variable":       {"package p\n\nimport \"os\"\n\nvar x = func() int { os.Exit(0); return 1 }()\n", "os.Exit"},
		"another name":     {"package p\n\nimport other \"os\"\n\nfunc init() {\n\tquit := other.Exit\n\tquit(0)\n}\n", "os.Exit"},
		"with a dot":       {"package p\n\nimport . \"os\"\n\nfunc init() {\n\tExit(0)\n}\n", "os.Exit"},
		"a goroutine":      {"package p\n\nimport \"os\"\n\nfunc f() {\n\tgo func() { os.Exit(0) }()\n}\n", "os.Exit"},
		"the system call":  {"package p\n\nimport \"syscall\"\n\nfunc f() {\n\tsyscall.RawSyscall(231, 0, 0, 0)\n}\n", "syscall.RawSyscall"},
		"a signal":         {"package p\n\nimport \"os\"\n\nfunc f() {\n\tp, _ := os.FindProcess(os.Getpid())\n\tp.Kill()\n}\n", "os.FindProcess"},
		"the counters":     {"package p\n\nimport \"os\"\n\nvar f = os.NewFile(3, \"\")\n", "os.NewFile"},
		"one of its own":   {"package p\n\nimport \"os\"\n\nfunc init() {\n\tquit()\n}\n\nfunc quit() {\n\tos.Exit(0)\n}\n", "quit (p.go:6)"},
		"only the helper":  {"package p\n\nimport \"os\"\n\nfunc quit() {\n\tos.Exit(0)\n}\n", ""},
		"a method":         {"package p\n\ntype os struct{}\n\nfunc (os) Exit(int) {}\n\nfunc f() { os{}.Exit(0) }\n", ""},
		"other system use": {"package p\n\nimport \"syscall\"\n\nvar s = syscall.SIGTERM\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := Compare([]Change{{File: "p.go", Before: created, After: tt.after}}).Hides
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("hides %q, want %q", got, tt.want)
			}
		})
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
		if got := Compare([]Change{{File: "p.go", Before: before, After: after}}).Hides; strings.Contains(got, "unseen") {
			t.Errorf("%s: hides %q", name, got)
		}
	}
}
