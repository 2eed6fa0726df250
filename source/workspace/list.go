package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pausetui/pausetui/internal/scratch"
)

// meta is the part of `go list -json` that loading needs.
type meta struct {
	ImportPath, Name, Dir, Export string
	GoFiles, CgoFiles, EmbedFiles []string
	ImportMap                     map[string]string
	Module                        *struct{ Path, Version, Dir, GoVersion string }
}

// listPackages asks the go command for the packages and all they depend on,
// dependencies first, with their export data.
func listPackages(ctx context.Context, spec LoadSpec) ([]*meta, error) {
	args := []string{"list", "-e", "-deps", "-export", "-json=ImportPath,Name,Dir,Export,GoFiles,CgoFiles,EmbedFiles,ImportMap,Module"}
	if spec.Tests {
		args = append(args, "-test")
	}
	if spec.Tags != "" {
		args = append(args, "-tags="+spec.Tags)
	}
	args = append(args, spec.Flags...)
	overlay, remove, err := overlayFile(spec.Overlay)
	if err != nil {
		return nil, err
	}
	defer remove()
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	args = append(append(args, "--"), spec.Patterns...)
	out, err := goUntilAwaited(ctx, spec.Awaited, spec.Dir, spec.Env, args...)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", strings.Join(spec.Patterns, " "), err)
	}
	var metas []*meta
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		m := &meta{}
		if err := d.Decode(m); errors.Is(err, io.EOF) {
			return metas, nil
		} else if err != nil {
			return nil, fmt.Errorf("read go list: %w", err)
		}
		metas = append(metas, m)
	}
}

// overlayFile writes the overlay as the go command reads it: a JSON file that
// names files with the contents. Without an overlay the path is empty.
func overlayFile(overlay map[string]string) (path string, remove func(), err error) {
	if len(overlay) == 0 {
		return "", func() {}, nil
	}
	dir, err := os.MkdirTemp("", scratch.Pattern("overlay"))
	if err != nil {
		return "", nil, fmt.Errorf("write an overlay: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) }
	replace := map[string]string{}
	for file, text := range overlay {
		copied := fmt.Sprintf("%s/%d.go", dir, len(replace))
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			remove()
			return "", nil, fmt.Errorf("write an overlay: %w", err)
		}
		replace[file] = copied
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		path = dir + "/overlay.json"
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("write an overlay: %w", err)
	}
	return path, remove, nil
}
