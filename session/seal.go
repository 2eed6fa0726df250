package session

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/internal/regular"
)

// A journal is in the module, and may have come with it: another person's
// repository can bring one that says anything. So each line carries a code
// ("mac") that only who has this user's key can make, over the line and all that
// stand before it. Anything may be read and shown; only what is sealed is acted
// on, unless a person says so for this journal.

// ErrForeign is returned for a journal that this user's pausetui did not write
// on this machine, or that was changed since.
var ErrForeign = errors.New("the journal was not written by you on this machine, or was changed since")

const (
	keySize = 32 // bytes
	macSize = 16 // bytes
)

// keyFile is where the key is; it is made when it is first needed.
func keyFile() string { return filepath.Join(xdg.StateHome, "pausetui", "journal.key") }

var keys struct {
	sync.Mutex
	path string
	key  []byte
}

// sealKey is the user's key; nil where it can be neither read nor made: journals
// are not sealed then.
func sealKey() []byte {
	keys.Lock()
	defer keys.Unlock()
	if path := keyFile(); keys.path != path || keys.key == nil {
		keys.path, keys.key = path, readKey(path)
	}
	return keys.key
}

func readKey(path string) []byte {
	key, err := existingKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key
	}
	key = make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return nil
	}
	made, err := os.CreateTemp(filepath.Dir(path), ".key-*") // 0600
	if err != nil {
		return nil
	}
	defer func() { _ = os.Remove(made.Name()) }()
	_, err = made.Write(key)
	if errors.Join(err, made.Sync(), made.Close()) != nil {
		return nil
	}
	_ = os.Link(made.Name(), path) // fails where another process was first: its key counts
	key, _ = existingKey(path)
	return key
}

// existingKey reads the key; one that others could have read or written is none.
func existingKey(path string) ([]byte, error) {
	file, err := regular.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Mode().Perm()&0o077 != 0 || info.Size() != keySize {
		return nil, errors.Join(ErrForeign, err)
	}
	key := make([]byte, keySize)
	_, err = file.ReadAt(key, 0)
	return key, err
}

// seal makes the codes of a journal's lines, one after another.
type seal struct {
	key    []byte    // nil makes none
	before hash.Hash // of all lines so far
}

func newSeal() *seal { return &seal{key: sealKey(), before: sha256.New()} }

// code is that of a line without one.
func (s *seal) code(line []byte) string {
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte("pausetui journal\x00"))
	m.Write(s.before.Sum(nil))
	m.Write(line)
	return hex.EncodeToString(m.Sum(nil)[:macSize])
}

// macField begins the last field of a sealed line.
const macField = `,"mac":"`

// close puts the code into a line, which is a JSON object.
func (s *seal) close(line []byte) []byte {
	if s.key == nil {
		return line
	}
	code := s.code(line)
	return append(append(bytes.TrimSuffix(line, []byte("}")), macField+code...), `"}`...)
}

// wrote takes note of a line, with its newline.
func (s *seal) wrote(line []byte) { s.before.Write(line) }

// holds reports whether a line, without its newline, carries the right code.
func (s *seal) holds(line []byte) bool {
	const size = len(macField) + 2*macSize + len(`"}`)
	if s.key == nil || len(line) < size {
		return false
	}
	head, tail := line[:len(line)-size], line[len(line)-size:]
	code, ok := bytes.CutPrefix(tail, []byte(macField))
	return ok && hmac.Equal(code[:2*macSize], []byte(s.code(append(bytes.Clone(head), '}'))))
}

// vouch is the code of a small text next to journals, such as a mark.
func vouch(what, text string) string {
	m := hmac.New(sha256.New, sealKey())
	fmt.Fprintf(m, "pausetui %s\x00%s", what, text)
	return hex.EncodeToString(m.Sum(nil)[:macSize])
}

// Vouch adds a line to a text, by which Vouched knows that this user's pausetui
// wrote it. what is the kind of the text: one is not taken for another.
func Vouch(what, text string) string {
	if sealKey() == nil {
		return text + "\n"
	}
	return text + "\n" + vouch(what, text) + "\n"
}

// Vouched returns a text that Vouch wrote; ok is false where it did not, and the
// text is what is shown all the same.
func Vouched(what string, data []byte) (text string, ok bool) {
	line, rest, _ := bytes.Cut(data, []byte{'\n'})
	code := bytes.TrimSuffix(rest, []byte{'\n'})
	return string(line), sealKey() != nil && hmac.Equal(code, []byte(vouch(what, string(line))))
}
