package pause

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Store keeps the results of finished blocks between a run and its restart. Its
// methods are called from several goroutines. The package checks what Get
// returns: a store need not, and is not trusted.
type Store interface {
	// Get returns what Put has kept for a key. It fails with an error that is
	// fs.ErrNotExist where there is nothing.
	Get(key string) ([]byte, error)
	// Put keeps data for a key, whole or not at all. An earlier value is replaced.
	Put(key string, data []byte) error
	// Drop forgets everything.
	Drop() error
}

// Directory is a Store in a directory, in one file that only this user can read.
// Results are appended to it, each in one write; one that was not written whole
// is cut off when the file is next opened.
type Directory struct {
	Path string

	mu    sync.Mutex
	file  *os.File // nil before it is needed
	index map[string]span
	end   int64 // of the last whole result
}

// span is where a result lies in the file.
type span struct {
	at   int64
	size int
}

// resultsFile is the file in a Directory.
const resultsFile = "results"

// Get implements Store.
func (d *Directory) Get(key string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.open(); err != nil {
		return nil, err
	}
	at, ok := d.index[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	data := make([]byte, at.size)
	_, err := d.file.ReadAt(data, at.at)
	return data, err
}

// Put implements Store.
func (d *Directory) Put(key string, data []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.open(); err != nil {
		return err
	}
	head := fmt.Appendf(nil, "%s %d\n", key, len(data))
	if _, known := d.index[key]; len(head) > maxHeader || len(data) > maxStored || !known && len(d.index) >= maxResults {
		return errTooLarge
	}
	if _, err := d.file.WriteAt(append(head, data...), d.end); err != nil {
		return err
	}
	d.index[key] = span{d.end + int64(len(head)), len(data)}
	d.end += int64(len(head) + len(data))
	return nil
}

// Drop implements Store.
func (d *Directory) Drop() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	if d.file != nil {
		err = d.file.Close()
		d.file = nil
	}
	if gone := os.Remove(filepath.Join(d.Path, resultsFile)); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// open opens the file and finds the results in it.
func (d *Directory) open() error {
	if d.file != nil {
		return nil
	}
	if err := os.MkdirAll(d.Path, 0o700); err != nil {
		return err
	}
	name := filepath.Join(d.Path, resultsFile)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|asItIs, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || !onlyOurs(info)) {
		err = fmt.Errorf("%q is not a file of this user alone", name)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	d.file, d.index, d.end = f, map[string]span{}, 0
	in := bufio.NewReader(f)
	for len(d.index) < maxResults {
		head, err := in.ReadSlice('\n')
		key, size, ok := strings.Cut(strings.TrimSuffix(string(head), "\n"), " ")
		n, bad := strconv.Atoi(size)
		at := d.end + int64(len(head))
		if err != nil || len(head) > maxHeader || !ok || bad != nil || n < 0 || n > maxStored || at+int64(n) > info.Size() {
			break
		}
		if _, err := in.Discard(n); err != nil {
			break
		}
		d.index[key], d.end = span{at, n}, at+int64(n)
	}
	return f.Truncate(d.end)
}

// Bounds of what is stored.
const (
	maxResult = 8 << 20 // of one result, encoded
	maxStored = maxResult + 1<<10
	maxHeader = 256
	// maxResults bounds how many results a Directory knows.
	maxResults = 100_000
	maxTotal   = 256 << 20 // of one run
)

// magic begins what is stored: it says the version of the format.
const magic = "pausetui block 1 "

// seal puts the hash of the key, the kind and the text before them, so that a damaged
// or foreign value is seen before anything of it is decoded.
func seal(key, kind string, text []byte) []byte {
	sum := digest(key, kind, text)
	return append(fmt.Appendf(nil, "%s%s %d %s\n", magic, sum, len(text), hex.EncodeToString([]byte(kind))), text...)
}

// errDamaged is returned by unseal for what was not stored for this key and kind.
var errDamaged = errors.New("the stored result is damaged, or of something else")

func unseal(key, kind string, data []byte) ([]byte, error) {
	head, text, ok := bytes.Cut(data, []byte("\n"))
	want := fmt.Sprintf("%s%s %d %s", magic, digest(key, kind, text), len(text), hex.EncodeToString([]byte(kind)))
	if !ok || string(head) != want {
		return nil, errDamaged
	}
	return text, nil
}

func digest(key, kind string, text []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %d\n%s%s", len(key), len(kind), len(text), key, kind)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}
