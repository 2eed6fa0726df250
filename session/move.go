package session

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// MoveTo makes a journal that comes from another directory, or another machine,
// one of the module at root: paths below the main module that it was recorded in
// become paths below root. The journal loses its seal by that, if it had one.
func MoveTo(path, root string) error {
	started, err := ReadStarted(path)
	if err != nil {
		return err
	}
	from := started.Workspace.Root
	if !filepath.IsAbs(from) || filepath.Clean(from) != from || from == string(filepath.Separator) || from == root {
		return nil // nothing, or everything, would be replaced
	}
	file, err := openWhole(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	got, err := readSealed(file)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	for _, e := range got.events {
		line, err := encode(e)
		if err != nil {
			return err
		}
		out.WriteString(replacePath(string(line), from, root))
		out.WriteByte('\n')
	}
	return os.WriteFile(path, out.Bytes(), 0o600)
}

// replacePath replaces a directory in a line of JSON where a path, or a flag
// with one, has it at its beginning.
func replacePath(line, from, to string) string {
	inside := func(path string) string {
		text, err := json.Marshal(path)
		if err != nil { // a string always can be
			return path
		}
		return string(text[1 : len(text)-1])
	}
	from, to = inside(from), inside(to)
	for _, before := range []string{`"`, "=", " ", ":"} {
		for _, after := range []string{"/", `"`} {
			line = strings.ReplaceAll(line, before+from+after, before+to+after)
		}
	}
	return line
}
