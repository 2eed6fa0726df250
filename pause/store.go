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
// methods are called from several goroutines. A store need not check its data: the
// package verifies everything that Get returns.
type Store interface {
	// Get returns what Put stored for a key, or an error that wraps
	// fs.ErrNotExist if there is nothing.
	Get(key string) ([]byte, error)
	// Put stores data for a key, all of it or none. It replaces an earlier value.
	Put(key string, data []byte) error
	// Drop deletes everything.
	Drop() error
}

// Directory is a Store that keeps all results in one file of the directory Path,
// readable by this user only. Each result is appended in one write. What was not
// written completely, and all that follows it, is cut off when the file is next
// opened.
type Directory struct {
	Path string

	mu    sync.Mutex
	file  *os.File // nil before it is needed
	index map[string]span
	end   int64 // of the last whole result
	lost  int64 // bytes that were cut off after it
}

// span is where a result lies in the file.
type span struct {
	at   int64
	size int
}

// resultsFile is the file in a Directory.
const resultsFile = "results"

// Get implements [Store].
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

// Put implements [Store].
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

// Drop implements [Store].
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
	d.file, d.index, d.end, d.lost = f, map[string]span{}, 0, 0
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
	d.lost = info.Size() - d.end
	return f.Truncate(d.end)
}

// damage returns how many bytes of the file are not results: one was not written
// whole, or something else has written to the file.
func (d *Directory) damage() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.open() // Get says it
	return d.lost
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
const magic = "pausetui block 2 "

// sealed is what is stored for a key.
type sealed struct {
	code string // the hash of the block's code
	kind string // the type of the result, or repeated
	text []byte // the result as JSON
}

// bytes puts the hash of the key and of all fields before them, so that a damaged
// or foreign value is seen before anything of it is decoded.
func (s sealed) bytes(key string) []byte {
	return append(append([]byte(s.head(key)), '\n'), s.text...)
}

func (s sealed) head(key string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %d %d\n%s%s%s", len(key), len(s.code), len(s.kind), len(s.text), key, s.code, s.kind)
	h.Write(s.text)
	return fmt.Sprintf("%s%x %d %x %x", magic, h.Sum(nil), len(s.text), s.code, s.kind)
}

// errDamaged is returned by unseal for what was not stored for this key.
var errDamaged = errors.New("the stored result is damaged, or of something else")

func unseal(key string, data []byte) (sealed, error) {
	head, text, ok := bytes.Cut(data, []byte("\n"))
	fields := strings.Split(strings.TrimPrefix(string(head), magic), " ")
	if !ok || len(fields) != 4 {
		return sealed{}, errDamaged
	}
	code, err1 := hex.DecodeString(fields[2])
	kind, err2 := hex.DecodeString(fields[3])
	s := sealed{string(code), string(kind), text}
	if err1 != nil || err2 != nil || s.head(key) != string(head) {
		return sealed{}, errDamaged
	}
	return s, nil
}
