package bench

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/patch"
)

// Sloppy returns the answer of a model that is often wrong: the one stored with
// the case, or else, as a hash of the name and the trial decides, the strong one
// or one of the usual wrong ones, made from the module. dir is for temporary files.
func (c *Case) Sloppy(ctx context.Context, dir string, trial int) (Answer, error) {
	if a, ok := c.stored(sloppyAnswer); ok && trial == 0 {
		return a, nil
	}
	if c.sloppyIsRight(trial) {
		return c.Strong()
	}
	return c.wrong(ctx, dir, int(c.hash(trial)[1]))
}

func (c *Case) sloppyIsRight(trial int) bool { return c.CanBeFixed() && c.hash(trial)[0]%2 == 0 }

// hash decides what a scripted model answers. The first trial's is of the name
// alone.
func (c *Case) hash(trial int) [sha256.Size]byte {
	name := c.Name
	if trial > 0 {
		name = fmt.Sprintf("%s %d", name, trial)
	}
	return sha256.Sum256([]byte(name))
}

// wrong tries the usual wrong answers, beginning with the one of that number,
// and returns the first that can be spliced, builds, is wrong, and keeps the
// program from crashing; or else one that does not keep it from that.
func (c *Case) wrong(ctx context.Context, dir string, first int) (Answer, error) {
	defer os.RemoveAll(dir)
	p, err := c.failing(ctx, filepath.Join(dir, "unfixed"))
	if err != nil {
		return Answer{}, err
	}
	loud := Answer{"It stops because of its input; the code is right.", "none"}
	for i := range mistakes {
		m := mistakes[(first+i)%len(mistakes)]
		for n, src := range m.edit(p) {
			text, became, err := c.wrongReply(ctx, filepath.Join(dir, fmt.Sprintf("%s-%d", m.kind, n)), m.sentence, p.file, src)
			switch {
			case err != nil || became == quietAndWrong:
				return Answer{text, m.kind}, err
			case became == stillCrashes && loud.Kind == "none":
				loud = Answer{text, m.kind}
			}
		}
	}
	return loud, nil
}

// outcome is what a wrong answer makes of a case.
type outcome int

const (
	useless       outcome = iota // it does not splice, does not build, or is right
	stillCrashes                 // it is wrong, and seen at once to be
	quietAndWrong                // it is wrong, and the program does not crash
)

// wrongReply words a changed file as a reply, and finds out what it does.
func (c *Case) wrongReply(ctx context.Context, dir, sentence, file, src string) (string, outcome, error) {
	formatted, err := format.Source([]byte(src))
	if err != nil {
		return "", useless, nil //nolint:nilerr // an answer that cannot be made is none
	}
	text, err := c.functions(sentence, replaced(c.module, file, string(formatted)), false)
	if err != nil {
		return "", useless, err
	}
	s, err := patch.Splicer{Prefer: file}.Splice(c.sources(), text)
	if err != nil {
		return "", useless, nil //nolint:nilerr // an answer that cannot be made is none
	}
	files := c.module
	for _, e := range s.Edits {
		files = replaced(files, e.File, e.After)
	}
	became, err := c.outcome(ctx, dir, files)
	return text, became, err
}

func (c *Case) outcome(ctx context.Context, dir string, files []txtar.File) (outcome, error) {
	module, temp, err := c.prepare(dir, files)
	if err != nil {
		return useless, err
	}
	if e, err := start(ctx, buildLimit, module, goEnv, nil, "go", "build", "./..."); err != nil || e.code != 0 || e.late {
		return useless, err
	}
	e, err := c.visible(ctx, module, temp)
	if err != nil {
		return useless, err
	}
	if c.CanBeFixed() {
		err = c.right(ctx, module, temp)
		if wrong := (*WrongError)(nil); err == nil || !errors.As(err, &wrong) {
			return useless, err
		}
	}
	if e.crashed() {
		return stillCrashes, nil
	}
	return quietAndWrong, nil
}

// replaced returns the files with another text for one of them.
func replaced(files []txtar.File, name, text string) []txtar.File {
	files = slices.Clone(files)
	for i, f := range files {
		if f.Name == name {
			files[i].Data = []byte(text)
		}
	}
	return files
}

// failing runs the module in dir and finds the function where it stops and,
// where a trace names it, the statement.
func (c *Case) failing(ctx context.Context, dir string) (place, error) {
	module, temp, err := c.prepare(dir, c.module)
	if err != nil {
		return place{}, err
	}
	e, err := c.visible(ctx, module, temp)
	if err != nil {
		return place{}, err
	}
	at := culprit(c.crashReport(e), c.modulePath())
	file := strings.TrimPrefix(at.file, c.modulePath()+"/")
	src, known := c.sources()[file]
	if !known || strings.HasSuffix(file, "_test.go") {
		file, at.line = c.stopsInFile(), 0
		src = c.sources()[file]
	}
	return newPlace(file, src, Outermost(c.StopsIn), at.line)
}
