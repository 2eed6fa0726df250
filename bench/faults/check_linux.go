package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// checkAll checks the promises after the program has ended.
func (r *run) checkAll() {
	r.checkGuests()
	if left := r.left(afterPatience); len(left) > 0 {
		r.fail("processes are left: %v", left)
	}
	r.checkTerminal()
	if text := string(r.term.Written(0)); strings.Contains(text, "pausetui has crashed") {
		r.fail("it has crashed")
	}
	if err := r.repair(); err != nil {
		r.fail("repair the disk: %v", err)
		return
	}
	journals := r.checkJournals()
	r.checkList(journals)
	if r.needsStart() || r.number(4) == 0 {
		r.checkStart()
	}
	r.checkSource()
	r.checkFiles()
	if r.scenario.attaches {
		r.server.check(r)
	}
	if r.Calm && r.term.Err() != nil != (r.scenario.code != 0) {
		r.fail("it ended with: %v", r.term.Err())
	}
}

// number is a choice that a run always makes in the same way.
func (r *run) number(of int) int { return int((r.Seed + uint64(r.Run)) % uint64(of)) }

func (r *run) checkZombies() {
	if z := r.zombies(); len(z) > 0 && !r.ended() {
		r.fail("zombies: %v", z)
	}
}

// checkTerminal wants the modes of the terminal, and of the emulator, as they were.
func (r *run) checkTerminal() {
	if r.hungUp.Load() {
		return
	}
	wrong := ""
	if !r.until(afterPatience/4, func() bool {
		var list []string
		now, err := unix.IoctlGetTermios(r.term.FD(), unix.TCGETS)
		if err != nil {
			wrong = err.Error()
			return false
		}
		if now.Iflag != r.before.Iflag || now.Oflag != r.before.Oflag || now.Lflag != r.before.Lflag || now.Cflag != r.before.Cflag {
			list = append(list, fmt.Sprintf("modes %x %x %x instead of %x %x %x", now.Iflag, now.Oflag, now.Lflag, r.before.Iflag, r.before.Oflag, r.before.Lflag))
		}
		list = append(list, r.term.Changes()...)
		wrong = strings.Join(list, ", ")
		return wrong == ""
	}) {
		r.fail("the terminal is not restored: %s", wrong)
	}
}

// tool runs pausetui without a terminal.
func (r *run) tool(stdin string, args ...string) (stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	cmd := r.command(ctx, args...)
	var out, wrong bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &wrong
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	return out.String(), wrong.String(), err
}

// checkJournals reads the journals itself, and has pausetui show them.
func (r *run) checkJournals() []string {
	list, _ := filepath.Glob(r.path("project/debug/*.jsonl"))
	for _, journal := range list {
		data, err := os.ReadFile(journal)
		if err != nil {
			r.fail("%v", err)
			continue
		}
		lines, name := bytes.SplitAfter(data, []byte("\n")), filepath.Base(journal)
		for i, line := range lines {
			var event struct{ Seq int }
			if err := json.Unmarshal(line, &event); err != nil && i < len(lines)-1 {
				r.fail("%s, line %d of %d: %v: %.100q", name, i+1, len(lines), err, line)
			} else if err == nil && event.Seq != i+1 {
				r.fail("%s, line %d has number %d", name, i+1, event.Seq)
			}
		}
		if len(lines) < 2 { // no whole line: there is no session yet
			continue
		}
		if _, wrong, err := r.tool("", "sessions", "show", strings.TrimSuffix(name, ".jsonl")); err != nil {
			r.fail("sessions show %s: %v: %s", name, err, wrong)
		}
	}
	return list
}

// checkList wants the index made from the journals.
func (r *run) checkList(journals []string) {
	out, wrong, err := r.tool("", "sessions", "list", "--all", "--json")
	var listed []struct{ ID string }
	if err == nil {
		err = json.Unmarshal([]byte(out), &listed)
	}
	if err != nil || wrong != "" || len(listed) != len(journals) {
		r.fail("sessions list: %v, %d sessions of %d journals: %s", err, len(listed), len(journals), wrong)
	}
}

// needsStart reports whether something is left that the next start puts in order.
func (r *run) needsStart() bool {
	marks, _ := filepath.Glob(r.path("project/debug/.*.applying"))
	temp, _ := os.ReadDir(r.path("temp"))
	return len(marks)+len(temp) > 0
}

// checkStart starts a session, which completes or takes back what was interrupted, and
// removes temporary files.
func (r *run) checkStart() {
	out, wrong, err := r.tool("halt\nquit\n", "debug", "--plain", "--offline", ".")
	if err != nil || wrong != "" || !strings.Contains(out, "session ended") {
		r.fail("the next start: %v: %s\n%s", err, wrong, out)
	}
	if len(r.left(afterPatience)) > 0 {
		r.fail("the next start leaves processes: %v", r.tree())
	}
	if r.needsStart() {
		marks, _ := filepath.Glob(r.path("project/debug/.*.applying"))
		temp, _ := filepath.Glob(r.path("temp/*"))
		r.fail("after the next start there are %q", append(marks, temp...))
	}
}

// checkSource wants the source as before or as after an apply, all files of it.
func (r *run) checkSource() {
	now, err := sources(r.path("project"))
	if err != nil {
		r.fail("%v", err)
		return
	}
	test, tested := "", false
	for name, text := range now { // which test is made depends on what a fault has left to check with
		if strings.HasSuffix(name, "_test.go") {
			test, tested = text, true
			delete(now, name)
		}
	}
	for i, version := range r.scenario.versions() {
		if maps.Equal(now, version) {
			if want := i > 0 && r.testApplied(); tested != want || tested && !strings.HasSuffix(test, "}\n") {
				r.fail("version %d of the source, and the test is as never (it is there: %v): %s", i, tested, test)
			}
			return
		}
	}
	r.fail("the source is neither as before nor as after an apply: %q", now)
}

// testApplied reports whether the change that was begun last has the regression test.
func (r *run) testApplied() bool {
	journals, _ := filepath.Glob(r.path("project/debug/*.jsonl"))
	has := false
	for _, journal := range journals {
		data, _ := os.ReadFile(journal)
		for line := range bytes.Lines(data) {
			if bytes.Contains(line, []byte(`"kind":"applying"`)) {
				has = bytes.Contains(line, []byte(`_test.go"`))
			}
		}
	}
	return has
}

// documented are the files of docs/reference/files.md, below the run's directory.
var documented = regexp.MustCompile(`^(project/(go\.mod|crash\.log|\w+\.go)` +
	`|project/debug/(\.gitignore|\d{8}-\d{6}(-\d+)?[\w-]*\.(md|jsonl)|\d{8}-\d{6}[\w-]*\.round\d+\.out|\d{8}-\d{6}[\w-]*-sources/\w+[\w.]*)` +
	`|state/pausetui/((screen|consent|catalog|records|bench|tokens)\.json|(breakpoints|mutes|history)/[\w.-]+|lock|journal\.key|(sessions|memory)\.db(-wal|-shm|\.lock)?|ssh_host_ed25519_key|bench/.*)` +
	`|config/go/.*|home/\.ssh/.*|home/server)$`)

// checkFiles wants no file that nobody knows what it is for.
func (r *run) checkFiles() {
	var strange []string
	err := filepath.WalkDir(r.here, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if name, _ := filepath.Rel(r.here, path); !documented.MatchString(filepath.ToSlash(name)) {
			strange = append(strange, name)
		}
		return nil
	})
	if err != nil || len(strange) > 0 {
		r.fail("undocumented files: %q %v", strange, err)
	}
}
