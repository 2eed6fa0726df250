package reexec

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func init() {
	Register("late", func(args []string) int { _, _ = os.Stdout.WriteString("late " + strings.Join(args, ",")); return 3 })
	RegisterEarly("early", func(args []string) int { _, _ = os.Stdout.WriteString("early " + strings.Join(args, ",")); return 4 })
}

// ordinary makes the test binary a process that is no helper unless it is started as one.
const ordinary = "REEXEC_TEST_ORDINARY"

func TestMain(m *testing.M) {
	if Armed() {
		panic("armed before Main")
	}
	Main()
	if os.Getenv(ordinary) != "" {
		_, _ = os.Stdout.WriteString("ordinary")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// started runs the test binary with a command line.
func started(t *testing.T, argv []string) (printed string, code int) {
	t.Helper()
	path, err := Self()
	if err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{Path: path, Args: argv, Env: append(os.Environ(), ordinary+"=1")}
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestAProcessBecomesTheHelperItWasStartedAs(t *testing.T) {
	for name, code := range map[string]int{"late": 3, "early": 4} {
		if out, got := started(t, Argv(name, "a", "b c")); out != name+" a,b c" || got != code {
			t.Errorf("%s printed %q and ended with %d", name, out, got)
		}
	}
}

func TestNothingElseBecomesAHelper(t *testing.T) {
	changed, other := Argv("late", "a"), Argv("late", "a")
	changed[2], other[0] = "b", prefix+"early"
	for what, argv := range map[string][]string{
		"only a name":              {prefix + "early"},
		"a made-up nonce":          {prefix + "early", strings.Repeat("0", 32), "a"},
		"another helper's nonce":   other,
		"another argument":         changed,
		"an unknown helper":        Argv("unknown"),
		"a nonce without the name": slices.Concat([]string{"pausetui"}, Argv("late")[1:]),
	} {
		if out, code := started(t, argv); out != "ordinary" || code != 0 {
			t.Errorf("%s: printed %q and ended with %d", what, out, code)
		}
	}
}

func TestEachNonceIsNew(t *testing.T) {
	if a, b := Argv("late"), Argv("late"); a[1] == b[1] {
		t.Errorf("both are %s", a[1])
	}
	if !Armed() {
		t.Error("not armed after Main")
	}
}
