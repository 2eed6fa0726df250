package lines

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// leave makes a candidate of what is left of one without some hunks.
func (f *frontend) leave(rest string) error {
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return fmt.Errorf("leave which hunks? leave N HUNK, both counted from 1; show N prints them")
	}
	c, err := f.named(fields[0])
	if err != nil {
		return err
	}
	type place struct {
		file string
		hunk int
	}
	var all []place
	for _, e := range c.Edits {
		for i := range patch.Hunks(e) {
			all = append(all, place{e.File, i})
		}
	}
	left := map[string][]int{}
	for _, text := range fields[1:] {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > len(all) {
			return fmt.Errorf("there is no hunk %q; fix %s has %d", text, number(c.ID), len(all))
		}
		p := all[n-1]
		left[p.file] = append(left[p.file], p.hunk)
	}
	if len(fields)-1 >= len(all) {
		return fmt.Errorf("every hunk is left out: nothing remains to be proved")
	}
	f.say("what is left is proved as a fix of its own")
	f.send(intent.LeaveHunks{Candidate: c.ID, Left: left}, soon, decided)
	return nil
}

func (f *frontend) undo(string) error {
	a, ok := f.state.Undoable()
	if !ok {
		return fmt.Errorf("no change has been applied")
	}
	f.ask(fmt.Sprintf("undo %s? %s as before.", called(a.Candidate), files(a.Files)), "restores the files", func() {
		f.send(intent.Undo{}, time.Minute, decided)
	})
	return nil
}

func (f *frontend) allow(rest string) error {
	if !verdict.Allowable(rest) {
		return fmt.Errorf("allow %s, %s/path, %s or %s", verdict.AllowNetwork, verdict.AllowFile, verdict.AllowFiles, verdict.AllowDirectives)
	}
	f.ask(fmt.Sprintf("allow %s? Fixes are run before anyone has read them; this opens the sandbox for the rest of this session.", rest), "allows it", func() {
		f.send(intent.Allow{What: rest}, soon, decided)
	})
	return nil
}

func (f *frontend) consented(given bool) error {
	w := f.live.Consent
	if w == nil {
		return fmt.Errorf("no prompt waits for an answer")
	}
	f.Do(intent.Consent{Host: w.Host, Model: w.Model, Given: given})
	return nil
}
