package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/internal/regular"
	sourceblocks "github.com/pausetui/pausetui/source/blocks"
)

// Blocks lets a program that names its work with package pause continue after a
// fix where it failed. The program stores the results of its blocks in a directory of the
// session; the engine describes there what code the blocks have.
//
// Proofs do not get the directory: they run the whole program.
type Blocks struct {
	*loop.Loop
	program *Program
	dir     string          // empty where the program does not use the package
	read    int64           // of the notes
	said    map[string]bool // notes that were reported
	counted int             // blocks of this run that returned their results, as reported
}

// The files in the directory, as package pause names them.
const (
	blocksCode  = "code.json"
	blocksNotes = "notes.jsonl"
)

// maxBlockNotes bounds what is read of the notes at a stop, in bytes: they are
// the program's.
const maxBlockNotes = 1 << 20

// NewBlocks returns the blocks of a program, which may have none.
func NewBlocks(c *loop.Loop, pg *Program) *Blocks {
	bl := &Blocks{Loop: c, program: pg, said: map[string]bool{}}
	if c.Opts.Target.Mode.Builds() && usesLibrary(c) {
		bl.dir = filepath.Join(c.Temp, "blocks")
	}
	return bl
}

// usesLibrary reports whether the program may import package pause.
func usesLibrary(c *loop.Loop) bool {
	for _, m := range c.Workspace.Modules {
		text, err := regular.Read(filepath.Join(m.Dir, "go.mod"))
		if err == nil && bytes.Contains(text, []byte(path.Dir(sourceblocks.Library))) {
			return true
		}
	}
	return false
}

// Environment is what the program gets so that it stores results.
func (bl *Blocks) Environment() []string {
	if bl.dir == "" {
		return nil
	}
	return []string{"PAUSETUI_BLOCKS=" + bl.dir}
}

// Begin prepares a round: what was said of the code was of the round before.
func (bl *Blocks) Begin() {
	if bl.dir == "" {
		return
	}
	bl.counted = 0
	bl.Warn(os.MkdirAll(bl.dir, 0o700))
	if err := os.Remove(filepath.Join(bl.dir, blocksCode)); !errors.Is(err, fs.ErrNotExist) {
		bl.Warn(err)
	}
}

// Describe writes what code the blocks have, once it is loaded. The program's
// first block waits for it.
func (bl *Blocks) Describe() {
	if bl.dir == "" {
		return
	}
	loading, base := bl.program.Code, bl.base()
	bl.Job(func() {
		select {
		case <-loading.Done:
		case <-bl.Ctx.Done():
			return
		}
		list := map[string]sourceblocks.Code{}
		var failed error
		if loading.Err == nil {
			failed = loop.Contain(func() error {
				list = sourceblocks.Describe(loading.Code, base)
				return nil
			})
		}
		text, err := json.Marshal(list) // also an empty one: the program waits for it
		if err == nil {
			err = renameio.WriteFile(filepath.Join(bl.dir, blocksCode), text, 0o600)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // the run has ended well meanwhile, and its results are dropped
		}
		if err := errors.Join(failed, err); err != nil {
			bl.Post(func() { bl.Warn(fmt.Errorf("describe the program's blocks: %w", err)) })
		}
	})
}

// base is what all blocks depend on beside their code.
func (bl *Blocks) base() string {
	var b strings.Builder
	spec := bl.program.Spec
	fmt.Fprintf(&b, "%s %q %q %v\n", bl.Workspace.Go, spec.Tags, spec.Flags, spec.Race)
	for _, m := range bl.Workspace.Modules {
		for _, name := range []string{"go.mod", "go.sum"} {
			text, err := regular.Read(filepath.Join(m.Dir, name))
			if err == nil {
				fmt.Fprintf(&b, "%s/%s %d\n%s", m.Path, name, len(text), text)
			}
		}
	}
	return b.String()
}

// blockNote is what package pause notes.
type blockNote struct {
	Block, What, Why string
	More             bool // blocks run again for the same reason
	Count            int  // of blocks that returned their results; 0: older versions note each
}

// Stopped reports what happened to blocks. The results of a run that has ended
// well are dropped: the next run is new work.
func (bl *Blocks) Stopped(stop debugger.Stop) {
	if bl.dir == "" {
		return
	}
	bl.report()
	if stop.Exit != nil && stop.Exit.Code == 0 {
		bl.Warn(os.RemoveAll(bl.dir))
		bl.read = 0
	}
}

// report reports the notes that are new.
func (bl *Blocks) report() {
	f, err := regular.OpenFile(filepath.Join(bl.dir, blocksNotes), os.O_RDONLY|syscall.O_NOFOLLOW)
	if err != nil {
		return // nothing was noted
	}
	defer f.Close()
	if _, err := f.Seek(bl.read, io.SeekStart); err != nil {
		return
	}
	text, err := io.ReadAll(io.LimitReader(f, maxBlockNotes))
	if err != nil {
		return
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	bl.read += int64(len(text))
	var notes []blockNote
	for line := range bytes.Lines(text) {
		var n blockNote
		if err := json.Unmarshal(line, &n); err == nil && !(n.What == "runs" && bl.said[string(line)]) {
			bl.said[string(line)] = n.What == "runs"
			notes = append(notes, n)
		}
	}
	bl.reportRuns(notes)
	bl.reportReturned(notes)
}

// reportRuns says once for each reason which blocks run again.
func (bl *Blocks) reportRuns(notes []blockNote) {
	var reasons []string
	names, more := map[string][]string{}, map[string]bool{}
	for _, n := range notes {
		if n.What != "runs" {
			continue
		}
		if _, known := names[n.Why]; !known {
			reasons = append(reasons, n.Why)
		}
		names[n.Why] = append(names[n.Why], n.Block)
		more[n.Why] = more[n.Why] || n.More
	}
	for _, why := range reasons {
		bl.Notice("info", runAgain(names[why], more[why])+" after a restart: "+why, "")
	}
}

func runAgain(names []string, more bool) string {
	switch {
	case names[0] == "":
		return "blocks run again"
	case len(names) == 1 && !more:
		return "block " + names[0] + " runs again"
	case more && len(names) <= mostNames:
		return "blocks " + some(names) + ", … run again"
	}
	return "blocks " + some(names) + " run again"
}

// reportReturned says how many blocks did not run again.
func (bl *Blocks) reportReturned(notes []blockNote) {
	var names []string
	total := 0
	for _, n := range notes {
		if n.What != "returned" {
			continue
		}
		if n.Count == 0 { // of an older version of the package
			n.Count = bl.counted + len(names) + 1
		}
		total = max(total, n.Count)
		names = append(names, n.Block)
	}
	if len(names) == 0 {
		return
	}
	news := total - bl.counted
	bl.counted = total
	words := count(news, "finished block") + " did not run again: " + some(names)
	if news != len(names) {
		words = "at least " + words
	}
	bl.Notice("info", words, "")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// mostNames bounds the names in a sentence.
const mostNames = 8

// some are the first names of a list.
func some(names []string) string {
	if len(names) > mostNames {
		return strings.Join(names[:mostNames], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
