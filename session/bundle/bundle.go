// Package bundle makes one file of a session, to hand a crash to a colleague: a
// tar archive compressed with zstd that holds the journal, the log, the output,
// the source texts that were kept, and on request a core dump with its binary.
//
// A bundle comes from elsewhere. Opening one writes only files whose names the
// format knows, bounded in number and size, into a directory that did not exist;
// the journal in it carries no seal of this machine, so nothing of it is obeyed.
package bundle

import (
	"archive/tar"
	"bytes"
	"cmp"
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
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
)

// Version of the format.
const Version = 1

// Extension is what the name of a bundle ends with.
const Extension = session.BundleExt

// Bounds of a bundle that is opened.
const (
	maxFiles  = 2000
	maxFile   = 64 << 20 // bytes of a file other than a core and a binary
	maxMemory = 8 << 30  // bytes of a core or a binary
	maxTexts  = 1 << 30  // bytes of all other files
	maxWindow = 64 << 20 // bytes that the decoder may hold
)

// ErrNoBundle is returned for a file that is no bundle.
var ErrNoBundle = errors.New("not a bundle of a session")

// File is a file of a bundle.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	Digest string `json:"sha256"`
}

// Manifest is what a bundle begins with.
type Manifest struct {
	Version int       `json:"version"`
	Session string    `json:"session"` // name of its files in a directory of logs
	Made    time.Time `json:"made"`
	By      string    `json:"by"` // version of pausetui
	Files   []File    `json:"files"`
}

// Plan is what a bundle is to hold.
type Plan struct {
	Manifest Manifest
	contents []content
}

type content struct {
	name string
	path string // of the file to copy; text when empty
	text []byte
}

// Options say what goes into a bundle besides the session's own files.
type Options struct {
	Logs    string                   // directory of the logs
	Session string                   // name of the session's files in it
	Sources string                   // directory of the source texts, may not exist
	Core    string                   // a core dump; empty for none
	Binary  string                   // the binary of the core; empty for none
	Redact  func(text string) string // hides secrets in a text; nil for none
	// Journal hides them in the text of a journal; where it is set, the log is made
	// of what it leaves.
	Journal func(text string) string
	Now     time.Time
	By      string
}

// MakePlan reads what is to go into a bundle. Secrets in texts are hidden once
// more; a core and a binary are taken as they are, and hold whatever the program
// held.
func MakePlan(o Options) (Plan, error) {
	p := Plan{Manifest: Manifest{Version: Version, Session: o.Session, Made: o.Now.UTC(), By: o.By}}
	entries, err := os.ReadDir(o.Logs)
	if err != nil {
		return p, fmt.Errorf("bundle %s: %w", o.Session, err)
	}
	path := filepath.Join(o.Logs, o.Session+".jsonl")
	journal, err := o.journal(path)
	if err != nil {
		return p, err
	}
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), o.Session+".")
		if !ok || !e.Type().IsRegular() || !known.MatchString("session."+rest) {
			continue
		}
		if err := p.addOwn("session."+rest, path, journal, o); err != nil {
			return p, err
		}
	}
	if sources, err := os.ReadDir(o.Sources); err == nil {
		for _, e := range sources {
			if name := "sources/" + e.Name(); e.Type().IsRegular() && known.MatchString(name) {
				if err := p.addText(name, filepath.Join(o.Sources, e.Name()), nil); err != nil { // named after their contents
					return p, err
				}
			}
		}
	}
	for name, path := range map[string]string{"core": o.Core, "binary": o.Binary} {
		if path == "" {
			continue
		}
		if err := p.addFile(name, path); err != nil {
			return p, err
		}
	}
	slices.SortFunc(p.contents, func(a, b content) int { return cmp.Compare(a.name, b.name) })
	slices.SortFunc(p.Manifest.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return p, nil
}

// known are the names of files that a bundle may hold.
var known = lazyregexp.New(`^(session\.(jsonl|md|round\d{1,6}\.out|trace)|sources/[0-9a-f]{16,64}|core|binary)$`)

// addOwn adds one of a session's own files. The path of its journal is given, with its
// text.
func (p *Plan) addOwn(name, path, journal string, o Options) error {
	switch {
	case strings.HasSuffix(name, ".jsonl"):
		p.add(name, []byte(journal))
	case strings.HasSuffix(name, ".md") && o.Journal != nil:
		events, err := session.Read(strings.NewReader(journal))
		if err != nil && len(events) == 0 {
			return fmt.Errorf("bundle %q: %w", path, err)
		}
		p.add(name, session.Markdown(events))
	default:
		return p.addText(name, strings.TrimSuffix(path, ".jsonl")+strings.TrimPrefix(name, "session"), o.Redact)
	}
	return nil
}

// journal is the text of a journal for a bundle. Of a session that runs, the last line
// may be half written.
func (o Options) journal(path string) (string, error) {
	text, err := regular.Read(path)
	if err != nil {
		return "", fmt.Errorf("bundle %q: %w", path, err)
	}
	whole := string(text[:bytes.LastIndexByte(text, '\n')+1])
	if o.Journal != nil {
		whole = o.Journal(whole)
	}
	return whole, nil
}

func (p *Plan) addText(name, path string, redact func(string) string) error {
	text, err := regular.Read(path)
	if err != nil {
		return fmt.Errorf("bundle %q: %w", path, err)
	}
	if redact != nil {
		text = []byte(redact(string(text)))
	}
	p.add(name, text)
	return nil
}

func (p *Plan) add(name string, text []byte) {
	sum := sha256.Sum256(text)
	p.contents = append(p.contents, content{name: name, text: text})
	p.Manifest.Files = append(p.Manifest.Files, File{Name: name, Bytes: int64(len(text)), Digest: hex.EncodeToString(sum[:])})
}

func (p *Plan) addFile(name, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("bundle the %s: %w", name, err)
	}
	defer f.Close()
	digest := sha256.New()
	n, err := io.Copy(digest, f)
	if err != nil {
		return fmt.Errorf("bundle the %s: %w", name, err)
	}
	p.contents = append(p.contents, content{name: name, path: path})
	p.Manifest.Files = append(p.Manifest.Files, File{Name: name, Bytes: n, Digest: hex.EncodeToString(digest.Sum(nil))})
	return nil
}

// Write writes the bundle.
func (p Plan) Write(w io.Writer) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(8<<20))
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	t := tar.NewWriter(z)
	manifest, err := json.MarshalIndent(p.Manifest, "", "  ")
	if err == nil {
		err = put(t, content{name: "manifest.json", text: manifest}, p.Manifest.Made)
	}
	for _, c := range p.contents {
		if err == nil {
			err = put(t, c, p.Manifest.Made)
		}
	}
	if err == nil {
		err = t.Close()
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return nil
}

// WriteFile writes the bundle to a file, whole or not at all.
func (p Plan) WriteFile(path string) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".bundle-")
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	err = errors.Join(p.Write(file), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

func put(t *tar.Writer, c content, at time.Time) error {
	head := &tar.Header{Name: c.name, Mode: 0o600, ModTime: at, Size: int64(len(c.text)), Format: tar.FormatPAX}
	if c.path == "" {
		if err := t.WriteHeader(head); err != nil {
			return err
		}
		_, err := t.Write(c.text)
		return err
	}
	f, err := os.Open(c.path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	head.Size = info.Size()
	if err := t.WriteHeader(head); err != nil {
		return err
	}
	_, err = io.CopyN(t, f, info.Size())
	return err
}

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
	if err != nil || head.Name != "manifest.json" || head.Typeflag != tar.TypeReg || head.Size > maxFile {
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
