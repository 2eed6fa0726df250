package verify

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// needs skips a test where the system has no such sandbox.
func needs(t *testing.T, tier sandbox.Tier) {
	t.Helper()
	if best, reasons := sandbox.Detect(); best != tier && best != sandbox.Full {
		t.Skipf("this system has %s only: %v", best, reasons)
	}
}

// at makes a stop at the line that holds a text, as the debugger would.
func (f fixture) at(t *testing.T, p debugger.Panic, file, function, text string) debugger.Stop {
	t.Helper()
	path := filepath.Join(f.dir, file)
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(source), text)
	if !ok {
		t.Fatalf("%q is not in %s", text, file)
	}
	return debugger.Stop{Reason: debugger.ReasonPanic, Panic: &p, Frames: []debugger.Frame{
		{Function: function, File: path, Line: strings.Count(before, "\n") + 1, User: true}}}
}

// silent is the fixture of a server that prints nothing of the panics that it
// recovers, with a client that makes it panic at the second request.
func silent(t *testing.T) fixture {
	t.Helper()
	needs(t, sandbox.Full)
	f := lay(t, "silent", t.TempDir())
	f.compile(t, ".", false, "127.0.0.1:0")
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.NilMapWrite, Message: "assignment to entry in nil map", Recovered: true},
		"visits.go", "main.(*visits).count", "v.pages[page] +=")
	client := filepath.Join(f.dir, "client") // what lies in the module can be seen in the sandbox
	text, err := os.ReadFile(f.subject.Binary)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(client, text, 0o700); err != nil {
		t.Fatal(err)
	}
	call := fmt.Sprintf("'%s' call http://127.0.0.1:$PAUSETUI_PORT/", client)
	f.subject.Run.Repro = repro.Plan{Command: call + "home && " + call + "about"}
	return f
}

func TestASilentServersPanicIsSeenByAProbe(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	f := silent(t)
	all := f.verifier(t, execute.Options{})
	for _, tt := range []struct {
		name    string
		changes []string
		status  verdict.Status
		detail  []string
	}{
		{"fixed", []string{"visits.go", "return &visits{}", "return &visits{pages: map[string]int{}}"}, verdict.Pass,
			[]string{"the failing line ran without a panic, and it lives on", `the repro command ended with 0 and printed "visit 2"; without the change it ended with 52 and printed "cut off"`}},
		{"the same panic", []string{"visits.go", "\tv.calls++", "\tv.calls += 1"}, verdict.Fail, []string{"it still panics there", "ended with 52"}},
		{"another way", []string{"visits.go", "v.count(r.URL.Path))", "1)"}, verdict.Warn, []string{"did not reach the failing line again, and it lives on", "ended with 0"}},
		{"ends early", []string{"main.go", "\tl, err := net.Listen(", "\tif len(os.Args) == 2 {\n\t\treturn\n\t}\n\tl, err := net.Listen("}, verdict.Fail, []string{"it ended with exit code 0: it never listened on a TCP port"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := check(t, all, f.edit(t, tt.changes...))
			for _, detail := range tt.detail {
				expect(t, v, verdict.Rerun, tt.status, detail)
			}
			if v.Verified != (tt.status != verdict.Fail) {
				t.Errorf("verified %v", v.Verified)
			}
			if tt.status == verdict.Pass && (v.Ending == nil || !v.Ending.Alive || v.Ending.Reply == nil || *v.Ending.Reply != 0) {
				t.Errorf("ending %+v", v.Ending)
			}
		})
	}
}

func TestWithoutAReplayOrANetworkOfItsOwnNothingIsDecided(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	f := silent(t)
	c := f.edit(t, "visits.go", "return &visits{}", "return &visits{pages: map[string]int{}}")
	v := f.prove(t, execute.Options{Allow: []string{verdict.AllowNetwork}}, c)
	expect(t, v, verdict.Rerun, verdict.Inconclusive, "with the real network allowed there is none of its own, and the paused program holds its ports, which its arguments and environment do not name")
	v = f.prove(t, execute.Options{MaxTier: sandbox.Landlock}, c)
	expect(t, v, verdict.Rerun, verdict.Inconclusive, "this sandbox has no network of its own, and the paused program holds its ports, which its arguments and environment do not name: the repro command would not reach the fix")
	f.subject.Run.Repro.After = "never printed"
	v = f.prove(t, execute.Options{Timeout: 1}, c)
	expect(t, v, verdict.Rerun, verdict.Inconclusive, `it never printed "never printed", which the repro command waits for`)
	f.subject.Run.Repro = repro.Plan{}
	v = f.prove(t, execute.Options{Timeout: 1}, c)
	expect(t, v, verdict.Rerun, verdict.Inconclusive, "nothing replays what was sent to it: --repro CMD replays the request")
}

// Where the sandbox has no network of its own, the program listens on another
// port than the one that the stopped target holds.
func TestAReplayGoesToAnotherPortWhereTheNetworkIsShared(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	f := silent(t)
	held, err := net.Listen("tcp", "127.0.0.1:0") // the stopped target's
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	f.subject.Ports = []int{held.Addr().(*net.TCPAddr).Port}
	c := f.edit(t, "visits.go", "return &visits{}", "return &visits{pages: map[string]int{}}")
	for address, opts := range map[string]execute.Options{held.Addr().String(): {MaxTier: sandbox.Landlock}, "127.0.0.1:0": {Allow: []string{verdict.AllowNetwork}}} {
		f.subject.Run.Args = []string{address}
		v := f.prove(t, opts, c)
		expect(t, v, verdict.Rerun, verdict.Pass, `the repro command ended with 0 and printed "visit 2"`)
	}
}

func TestWhatTheSandboxBlocksCanBeAllowed(t *testing.T) {
	testsupport.Slow(t)
	needs(t, sandbox.Landlock)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() { // the service of another machine
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprintln(c, "ann bob")
			c.Close()
		}
	}()
	f := crashing(t, "remote", l.Addr().String())
	c := f.edit(t, "main.go", "return &book{}", "return &book{entries: map[string]int{}}")
	blocked := func(allow []string, want ...string) verdict.Verdict {
		v := f.prove(t, execute.Options{Allow: allow}, c)
		check, _ := verdict.Find(v.Checks, verdict.Rerun)
		if !slices.Equal(check.Blocked, want) {
			t.Errorf("allowed %v: blocked %q; %s", allow, check.Blocked, check.Detail)
		}
		return v
	}
	if best, _ := sandbox.Detect(); best == sandbox.Full { // the program itself says nothing
		expect(t, blocked(nil, verdict.AllowNetwork), verdict.Rerun, verdict.Inconclusive, "it tried a port of this machine that nothing listens on in the sandbox")
	}
	expect(t, blocked([]string{verdict.AllowNetwork}), verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
}

func TestHiddenFilesCanBeAllowed(t *testing.T) {
	testsupport.Slow(t)
	needs(t, sandbox.Landlock)
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // which lie in it
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, strings.TrimSpace(string(out)))
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.WriteFile(filepath.Join(home, "names"), []byte("ann bob eve\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := crashing(t, "settings")
	c := f.edit(t, "main.go", "\treturn total", "\tif len(names) == 3 {\n\t\treturn total\n\t}\n\treturn total")
	v := f.prove(t, execute.Options{}, c)
	expect(t, v, verdict.Rerun, verdict.Inconclusive, "if it reads or writes files outside the module, allow files")
	if check, _ := verdict.Find(v.Checks, verdict.Rerun); !slices.Equal(check.Blocked, []string{verdict.AllowFiles}) {
		t.Errorf("blocked %q", check.Blocked)
	}
	v = f.prove(t, execute.Options{Allow: []string{verdict.AllowFiles}}, c)
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
}

// A file that the arguments name is there to be read; another one can be allowed
// alone.
func TestOneFileCanBeRead(t *testing.T) {
	testsupport.Slow(t)
	needs(t, sandbox.Landlock)
	names := filepath.Join(t.TempDir(), "names")
	if err := os.WriteFile(names, []byte("ann bob eve\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NAMES", names)
	f := lay(t, "settings", t.TempDir())
	for _, args := range [][]string{{names}, {"--names=" + names}} {
		f.build(t, "./byname", false, args...)
		v := f.prove(t, execute.Options{}, f.edit(t, "byname/main.go", "(len(names) - 3)", "max(1, len(names)-3)"))
		expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
	}
	f.build(t, "./byname", false, "-", "-")
	c := f.edit(t, "byname/main.go", "(len(names) - 3)", "max(1, len(names)-3)")
	v := f.prove(t, execute.Options{}, c)
	check, _ := verdict.Find(v.Checks, verdict.Rerun)
	if want := []string{verdict.AllowFile + names, verdict.AllowFiles}; !slices.Equal(check.Blocked, want) {
		t.Errorf("blocked %q: %s", check.Blocked, check.Detail)
	}
	v = f.prove(t, execute.Options{Allow: []string{verdict.AllowFile + names}}, c)
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
}

// TestFilesThatAnAgentNamesAreHidden, and those that a link of the repository leads to,
// whoever names the link.
func TestFilesThatAnAgentNamesAreHidden(t *testing.T) {
	testsupport.Slow(t)
	needs(t, sandbox.Landlock)
	names := filepath.Join(testsupport.TempDir(t), "names")
	if err := os.WriteFile(names, []byte("ann bob eve\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := lay(t, "settings", t.TempDir())
	if err := os.Symlink(names, filepath.Join(f.dir, "byname", "link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arg     string
		foreign bool
		seen    bool
	}{{names, false, true}, {names, true, false}, {"--names=" + names, true, false}, {"link", false, false}, {"--names=link", false, false}} {
		f.build(t, "./byname", false, c.arg)
		f.subject.Run.ForeignArgs = c.foreign
		v := f.prove(t, execute.Options{}, f.edit(t, "byname/main.go", "(len(names) - 3)", "max(1, len(names)-3)"))
		if check, _ := verdict.Find(v.Checks, verdict.Rerun); (check.Status == verdict.Pass) != c.seen {
			t.Errorf("%+v: %s, %s", c, check.Status, check.Detail)
		}
	}
}
