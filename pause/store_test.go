package pause

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestResultsAreOurs: the directory may be one that others write to.
func TestResultsAreOurs(t *testing.T) {
	precious := filepath.Join(t.TempDir(), "precious")
	for name, plant := range map[string]func(at string) error{
		"a link":       func(at string) error { return os.Symlink(precious, at) },
		"another name": func(at string) error { return os.Link(precious, at) },
		"a pipe":       func(at string) error { return exec.Command("mkfifo", "-m", "600", at).Run() },
		"for all":      func(at string) error { return errors.Join(os.WriteFile(at, nil, 0o600), os.Chmod(at, 0o644)) },
		"of another": func(at string) error {
			if err := os.WriteFile(at, nil, 0o600); err != nil || os.Geteuid() != 0 {
				return errors.Join(err, os.Chmod(at, 0o644)) // only root can give files away
			}
			return os.Chown(at, 12345, -1)
		},
	} {
		if err := os.WriteFile(precious, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		d := &Directory{Path: t.TempDir()}
		if err := plant(filepath.Join(d.Path, resultsFile)); err != nil {
			t.Fatal(err)
		}
		if err := d.Put("key", []byte("text")); err == nil {
			t.Errorf("%s is written to", name)
		}
		if _, err := d.Get("key"); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is read: %v", name, err)
		}
		if text, err := os.ReadFile(precious); err != nil || string(text) != "mine" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if err := os.Remove(filepath.Join(d.Path, resultsFile)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestResultsAreBounded(t *testing.T) {
	d := &Directory{Path: t.TempDir()}
	var text bytes.Buffer
	for i := range maxResults + 10 {
		fmt.Fprintf(&text, "%d 0\n", i)
	}
	if err := os.WriteFile(filepath.Join(d.Path, resultsFile), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.Put("one more", nil); !errors.Is(err, errTooLarge) || len(d.index) != maxResults {
		t.Errorf("%d results are known, and one more gives %v", len(d.index), err)
	}
	if err := d.Put("0", []byte("new")); err != nil {
		t.Errorf("one that is known is refused: %v", err)
	}
}
