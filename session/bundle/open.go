package bundle

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Opened is a bundle that was unpacked.
type Opened struct {
	Manifest Manifest
	Logs     string // directory of logs with the session in it
	Core     string // path; empty without one
	Binary   string
}

// List reads the manifest of a bundle and no more.
func List(r io.Reader) (Manifest, error) {
	z, err := reader(r)
	if err != nil {
		return Manifest{}, err
	}
	defer z.Close()
	return manifest(tar.NewReader(z))
}

func reader(r io.Reader) (*zstd.Decoder, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoBundle, err)
	}
	return z, nil
}

func manifest(t *tar.Reader) (Manifest, error) {
	var m Manifest
	head, err := t.Next()
	if err != nil || head.Name != "manifest.json" || head.Typeflag != tar.TypeReg || head.Size > maxList {
		return m, ErrNoBundle
	}
	if err := json.NewDecoder(io.LimitReader(t, head.Size)).Decode(&m); err != nil {
		return m, fmt.Errorf("%w: %w", ErrNoBundle, err)
	}
	switch {
	case m.Version != Version:
		return m, fmt.Errorf("the bundle is of version %d, and this pausetui reads version %d", m.Version, Version)
	case !sessionName.MatchString(m.Session):
		return m, fmt.Errorf("%w: its session has no proper name", ErrNoBundle)
	case len(m.Files) > maxFiles:
		return m, fmt.Errorf("the bundle holds %d files; at most %d are allowed", len(m.Files), maxFiles)
	}
	return m, nil
}

// fits refuses a bundle whose files are too large, or have no room in a directory:
// a few kilobytes may hold many gigabytes.
func (m Manifest) fits(dir string, part Part) error {
	texts, all := int64(0), int64(0)
	for _, f := range m.Files {
		most := int64(maxFile)
		if f.memory() {
			most = maxMemory
		}
		if f.Bytes < 0 || f.Bytes > most {
			return fmt.Errorf("%s has %d MB; at most %d are allowed", path.Base(f.Name), f.Bytes>>20, most>>20)
		}
		if !f.memory() {
			texts += f.Bytes
		}
		if part.has(f) {
			all += f.Bytes
		}
	}
	if texts > maxTexts {
		return fmt.Errorf("its texts have %d MB; at most %d are allowed", texts>>20, maxTexts>>20)
	}
	return Room(dir, all)
}

// Large bundles are taken in only if a person agrees: a few kilobytes may become
// gigabytes. Bytes when unpacked.
const (
	largeTexts  = 64 << 20
	largeMemory = 1 << 30
)

// Large says how much a bundle unpacks to, if that is more than a person expects of one;
// empty otherwise.
func (m Manifest) Large() string {
	var texts, memory int64
	for _, f := range m.Files {
		size := max(0, min(f.Bytes, maxMemory)) // a wrong one is refused when it is opened
		if f.memory() {
			memory += size
		} else {
			texts += size
		}
	}
	if texts <= largeTexts && memory <= largeMemory {
		return ""
	}
	return fmt.Sprintf("it unpacks to %d MB", (texts+memory)>>20)
}

// memory reports whether a file is the core dump or its binary.
func (f File) memory() bool { return f.Name == "core" || f.Name == "binary" }

// HasCore reports whether the bundle holds a core dump with its binary.
func (m Manifest) HasCore() bool {
	return slices.ContainsFunc(m.Files, func(f File) bool { return f.Name == "core" }) && slices.ContainsFunc(m.Files, func(f File) bool { return f.Name == "binary" })
}

// sessionName is what session files are called: session.List finds no others.
var sessionName = lazyregexp.New(`^\d{8}-\d{6}(-\d{1,4})?-[a-z0-9-]{1,60}$`)

// Part says which files of a bundle are unpacked.
type Part int

// The parts.
const (
	All    Part = iota
	Texts       // the session, without the core dump and its binary
	Memory      // the core dump and its binary alone
)

func (p Part) has(f File) bool { return p == All || f.memory() == (p == Memory) }

// Open unpacks a part of a bundle below dir, which must not exist. Where it fails,
// dir is removed again.
func Open(r io.Reader, dir string, part Part) (o Opened, err error) {
	z, err := reader(r)
	if err != nil {
		return o, err
	}
	defer z.Close()
	t := tar.NewReader(z)
	if o.Manifest, err = manifest(t); err != nil {
		return o, err
	}
	if err := o.Manifest.fits(filepath.Dir(dir), part); err != nil {
		return o, fmt.Errorf("open the bundle: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return o, fmt.Errorf("open the bundle: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	want := map[string]File{}
	for _, f := range o.Manifest.Files {
		want[f.Name] = f
	}
	o.Logs = dir
	for {
		head, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return o, fmt.Errorf("open the bundle: %w", err)
		}
		f, listed := want[head.Name]
		if !listed || head.Typeflag != tar.TypeReg || head.Size != f.Bytes || !known.MatchString(head.Name) {
			return o, fmt.Errorf("%w: %q does not belong there", ErrNoBundle, path.Base(head.Name))
		}
		delete(want, head.Name)
		if !part.has(f) {
			continue
		}
		if err := o.unpack(t, dir, f); err != nil {
			return o, err
		}
	}
	if len(want) > 0 {
		return o, fmt.Errorf("open the bundle: it is cut off")
	}
	return o, nil
}

func (o *Opened) unpack(r io.Reader, dir string, f File) error {
	var to string
	switch {
	case f.Name == "core":
		to = filepath.Join(dir, "core")
		o.Core = to
	case f.Name == "binary":
		to = filepath.Join(dir, "binary")
		o.Binary = to
	case strings.HasPrefix(f.Name, "sources/"):
		to = filepath.Join(dir, ID(o.Manifest.Session)+"-sources", path.Base(f.Name))
	default:
		to = filepath.Join(dir, o.Manifest.Session+strings.TrimPrefix(f.Name, "session"))
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fmt.Errorf("open the bundle: %w", err)
	}
	mode := os.FileMode(0o600)
	if f.Name == "binary" {
		mode = 0o700
	}
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return fmt.Errorf("open the bundle: %w", err)
	}
	digest := sha256.New()
	_, err = io.CopyN(io.MultiWriter(file, digest), r, f.Bytes)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("open the bundle: %w", err)
	}
	if hex.EncodeToString(digest.Sum(nil)) != f.Digest {
		return fmt.Errorf("open the bundle: %s is damaged", f.Name)
	}
	return nil
}

// ID is the part of a session's name that its source texts and snapshots are kept
// under.
func ID(name string) string {
	if m := sessionID.FindString(name); m != "" {
		return m
	}
	return name
}

var sessionID = lazyregexp.New(`^\d{8}-\d{6}(-\d{1,4})?`)
