package engine

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
	"github.com/pausetui/pausetui/internal/regular"
	sourceblocks "github.com/pausetui/pausetui/source/blocks"
)

// blocks lets a program that names its work with package pause continue after a
// fix where it failed. The program stores the results of its blocks in a directory of the
// session; the engine describes there what code the blocks have.
//
// Proofs do not get the directory: they run the whole program.
type blocks struct {
	*core
	program *program
	dir     string          // empty where the program does not use the package
	read    int64           // of the notes
	said    map[string]bool // notes that were reported
}

// The files in the directory, as package pause names them.
const (
	blocksCode  = "code.json"
	blocksNotes = "notes.jsonl"
)

// maxBlockNotes bounds what is read of the notes at a stop, in bytes: they are
// the program's.
const maxBlockNotes = 1 << 20

func newBlocks(c *core, pg *program) *blocks {
	bl := &blocks{core: c, program: pg, said: map[string]bool{}}
	if c.opts.Target.Mode.Builds() && usesLibrary(c) {
		bl.dir = filepath.Join(c.temp, "blocks")
	}
	return bl
}

// usesLibrary reports whether the program may import package pause.
func usesLibrary(c *core) bool {
	for _, m := range c.ws.Modules {
		text, err := regular.Read(filepath.Join(m.Dir, "go.mod"))
		if err == nil && bytes.Contains(text, []byte(path.Dir(sourceblocks.Library))) {
			return true
		}
	}
	return false
}

// environment is what the program gets so that it stores results.
func (bl *blocks) environment() []string {
	if bl.dir == "" {
		return nil
	}
	return []string{"PAUSETUI_BLOCKS=" + bl.dir}
}

// begin prepares a round: what was said of the code was of the round before.
func (bl *blocks) begin() {
	if bl.dir == "" {
		return
	}
	bl.warn(os.MkdirAll(bl.dir, 0o700))
	if err := os.Remove(filepath.Join(bl.dir, blocksCode)); !errors.Is(err, fs.ErrNotExist) {
		bl.warn(err)
	}
}

// describe writes what code the blocks have, once it is loaded. The program's
// first block waits for it.
func (bl *blocks) describe() {
	if bl.dir == "" {
		return
	}
	loading, base := bl.program.code, bl.base()
	bl.job(func() {
		select {
		case <-loading.done:
		case <-bl.ctx.Done():
			return
		}
		list := map[string]sourceblocks.Code{}
		if loading.err == nil {
			list = sourceblocks.Describe(loading.code, base)
		}
		text, err := json.Marshal(list)
		if err == nil {
			err = renameio.WriteFile(filepath.Join(bl.dir, blocksCode), text, 0o600)
		}
		if err != nil {
			bl.post(func() { bl.warn(fmt.Errorf("describe the program's blocks: %w", err)) })
		}
	})
}

// base is what all blocks depend on beside their code.
func (bl *blocks) base() string {
	var b strings.Builder
	spec := bl.program.spec
	fmt.Fprintf(&b, "%s %q %q %v\n", bl.ws.Go, spec.Tags, spec.Flags, spec.Race)
	for _, m := range bl.ws.Modules {
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
type blockNote struct{ Block, What, Why string }

// stopped reports what happened to blocks. The results of a run that has ended
// well are dropped: the next run is new work.
func (bl *blocks) stopped(stop debugger.Stop) {
	if bl.dir == "" {
		return
	}
	bl.report()
	if stop.Exit != nil && stop.Exit.Code == 0 {
		bl.warn(os.RemoveAll(bl.dir))
		bl.read = 0
	}
}

// report reports the notes that are new.
func (bl *blocks) report() {
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
	var returned []string
	for line := range bytes.Lines(text) {
		var n blockNote
		switch err := json.Unmarshal(line, &n); {
		case err != nil || bl.said[string(line)]:
		case n.What == "returned":
			returned = append(returned, n.Block)
		case n.What == "runs":
			bl.said[string(line)] = true
			bl.notice("info", strings.TrimPrefix(fmt.Sprintf("block %s runs again after a restart: %s", n.Block, n.Why), "block  "), "")
		}
	}
	if len(returned) > 0 {
		bl.notice("info", fmt.Sprintf("%s did not run again: %s", count(len(returned), "finished block"), some(returned)), "")
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// some are the first names of a list.
func some(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// memoryKey is what a fix of a stop is remembered by: the fingerprint, and the
// block of work where the program names one.
func memoryKey(stop debugger.Stop) string {
	if stop.Block == nil {
		return stop.Panic.Fingerprint
	}
	return stop.Panic.Fingerprint + "@" + stop.Block.ID
}
