package scratch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// goDirs are the directories that go commands of this process work in, each by the
// directory that it is in.
var goDirs struct {
	sync.Mutex
	made map[string]string
}

// GoEnv is the environment of a go command, nil for this process's, that works in a
// directory of this process's: a go command that is killed leaves its go-build directories
// there, and the C compilers that it runs their files (by TMPDIR), and Sweep finds them. Where
// none can be made, or the person has set GOTMPDIR with go env -w, the go command works where
// it would have.
func GoEnv(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	in := os.TempDir()
	for _, kv := range env {
		if dir, ok := strings.CutPrefix(kv, "GOTMPDIR="); ok && dir != "" {
			in = dir
		}
	}
	if in == os.TempDir() && configured() {
		return env
	}
	dir, err := goDir(in)
	if err != nil {
		return env
	}
	return append(slices.Clip(env), "TMPDIR="+dir, "GOTMPDIR="+dir)
}

// configured reports whether the go command's own settings name a directory.
func configured() bool {
	file := os.Getenv("GOENV")
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return false
		}
		file = filepath.Join(dir, "go", "env")
	}
	text, err := os.ReadFile(file)
	return err == nil && strings.Contains("\n"+string(text), "\nGOTMPDIR=")
}

func goDir(in string) (string, error) {
	goDirs.Lock()
	defer goDirs.Unlock()
	if dir := goDirs.made[in]; dir != "" {
		if _, err := os.Stat(dir); err == nil {
			return dir, nil
		}
	}
	dir, err := os.MkdirTemp(in, Pattern("go"))
	if err != nil {
		return "", err
	}
	if goDirs.made == nil {
		goDirs.made = map[string]string{}
	}
	goDirs.made[in] = dir
	return dir, nil
}

// Leave removes the directories of GoEnv. It is called when this process ends.
func Leave() {
	goDirs.Lock()
	defer goDirs.Unlock()
	for in, dir := range goDirs.made {
		_ = os.RemoveAll(dir) // what cannot be removed is for the next start
		delete(goDirs.made, in)
	}
}
