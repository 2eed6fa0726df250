// Package bundle packs a session into one file, to hand a crash to a colleague. It is a
// tar archive compressed with zstd that holds the journal, the log, the output, the
// source texts that were kept, and on request a core dump with its binary.
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
	maxList   = 1 << 20  // bytes of the manifest: in memory it takes forty times as many
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
	// Learn is given all texts before one is hidden in, where it is set: a secret that one
	// tells by its name may stand in another without it.
	Learn func(text string)
	// Journal hides them in the text of a journal; where it is set, the log is made
	// of what it leaves.
	Journal func(text string) string
	Now     time.Time
	By      string
}

// MakePlan reads what is to go into a bundle. Secrets in texts, also in those of the source,
// are hidden once more; a core and a binary are taken as they are, and hold whatever the program
// held.
func MakePlan(o Options) (Plan, error) {
	p := Plan{Manifest: Manifest{Version: Version, Session: o.Session, Made: o.Now.UTC(), By: o.By}}
	entries, err := os.ReadDir(o.Logs)
	if err != nil {
		return p, fmt.Errorf("bundle %s: %w", o.Session, err)
	}
	path := filepath.Join(o.Logs, o.Session+".jsonl")
	if err := o.LearnTexts(); err != nil {
		return p, err
	}
	journal, err := o.journal(path)
	if err != nil {
		return p, err
	}
	if journal, err = p.addSources(journal, o); err != nil {
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

// LearnTexts gives Learn the texts of a session but for its journal, which Journal reads whole.
func (o Options) LearnTexts() error {
	if o.Learn == nil {
		return nil
	}
	entries, err := os.ReadDir(o.Logs)
	if err != nil {
		return fmt.Errorf("read the texts of %s: %w", o.Session, err)
	}
	var files []string
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), o.Session+"."); ok && e.Type().IsRegular() && known.MatchString("session."+rest) && !strings.HasSuffix(rest, "jsonl") {
			files = append(files, filepath.Join(o.Logs, e.Name()))
		}
	}
	if info, err := os.Lstat(o.Sources); err == nil && info.IsDir() {
		sources, err := os.ReadDir(o.Sources)
		if err != nil {
			return fmt.Errorf("bundle the sources: %w", err)
		}
		for _, e := range sources {
			if e.Type().IsRegular() && known.MatchString("sources/"+e.Name()) {
				files = append(files, filepath.Join(o.Sources, e.Name()))
			}
		}
	}
	for _, file := range files {
		text, err := regular.Read(file)
		if err != nil {
			return fmt.Errorf("bundle %q: %w", filepath.Base(file), err)
		}
		o.Learn(string(text))
	}
	return nil
}

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

// addSources adds the source texts. They are named after their contents: where secrets
// were hidden in one, the journal, which is returned, gets its new name. With a core dump
// they stay as they are, because the program is in it as it is.
func (p *Plan) addSources(journal string, o Options) (string, error) {
	if info, err := os.Lstat(o.Sources); err != nil || !info.IsDir() { // a link may lead anywhere
		return journal, nil //nolint:nilerr // nothing was kept
	}
	sources, err := os.ReadDir(o.Sources)
	if err != nil {
		return "", fmt.Errorf("bundle the sources: %w", err)
	}
	var names []string
	for _, e := range sources {
		if !e.Type().IsRegular() || !known.MatchString("sources/"+e.Name()) {
			continue
		}
		text, err := regular.Read(filepath.Join(o.Sources, e.Name()))
		if err != nil {
			return "", fmt.Errorf("bundle %q: %w", e.Name(), err)
		}
		name := e.Name()
		if o.Redact != nil && o.Core == "" {
			if hidden := []byte(o.Redact(string(text))); !bytes.Equal(hidden, text) {
				text, name = hidden, session.TextName(hidden)
				names = append(names, e.Name(), name)
			}
		}
		name = "sources/" + name
		if !slices.ContainsFunc(p.Manifest.Files, func(f File) bool { return f.Name == name }) { // two may differ in a secret alone
			p.add(name, text)
		}
	}
	return strings.NewReplacer(names...).Replace(journal), nil
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
