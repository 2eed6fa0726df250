package build

import (
	"context"
	"os"
	"path/filepath"
	"slices"
)

// Survey remembers which files and settings a build would be made from once its
// overlay is written, so that Digest need not ask the go command again.
type Survey struct {
	spec  Spec
	in    *inputs
	names map[string][]string // of each directory with such files
}

// NewSurvey asks the go command, under the overlay of s.
func NewSurvey(ctx context.Context, s Spec) (*Survey, error) {
	o, err := newOverlay(s.Overlay)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	in, err := gather(ctx, s, o)
	if err != nil {
		return nil, err
	}
	v := &Survey{spec: s, in: in, names: map[string][]string{}}
	v.spec.Overlay = nil
	for _, file := range in.files() {
		dir := filepath.Dir(file)
		if v.names[dir] == nil {
			v.names[dir] = names(dir)
		}
	}
	for file := range s.Overlay { // which may be new
		dir := filepath.Dir(file)
		all := append(v.names[dir], filepath.Base(file))
		slices.Sort(all)
		v.names[dir] = slices.Compact(all)
	}
	return v, nil
}

// Digest is Inputs of the files as they are now. It is false where the survey
// does not hold any more: a directory has gained or lost a file since.
func (v *Survey) Digest() (string, bool) {
	for dir, before := range v.names {
		if !slices.Equal(names(dir), before) {
			return "", false
		}
	}
	digest, err := v.in.digest(v.spec)
	return digest, err == nil
}

// names lists a directory; one that cannot be read has none.
func names(dir string) []string {
	entries, _ := os.ReadDir(dir)
	list := make([]string, 0, len(entries))
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
