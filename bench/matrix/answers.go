package matrix

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/replay"
)

// Key is everything that an answer depends on. Two requests with the same key
// are the same request: what differs in anything else is asked again.
type Key struct {
	Model       string  `json:"model"`
	Digest      string  `json:"digest"` // of the model
	Request     string  `json:"request"`
	Temperature float64 `json:"temperature"`
	MaxTokens   int     `json:"max_tokens"`
	Seed        int     `json:"seed"`
	Case        string  `json:"case"` // hash of the archive
	Prompt      string  `json:"prompt"`
	Trial       int     `json:"trial"`
	Repeat      int     `json:"repeat"` // how often the cell has sent the same before
}

// NewKey is the key of a request of a cell.
func NewKey(c Column, of Case, trial int, r llm.Request, repeat int) Key {
	return Key{Model: c.Model, Digest: c.Info.Digest, Request: replay.Digest(r), Temperature: r.Temperature, MaxTokens: r.MaxTokens, Seed: r.Seed,
		Case: of.Hash, Prompt: c.Prompt, Trial: trial, Repeat: repeat}
}

// String is the name under which an answer is stored.
func (k Key) String() string {
	data, err := json.Marshal(k)
	if err != nil {
		panic(err) // strings and numbers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// Stored is an answer with its request. Times are those of the request.
type Stored struct {
	Key      Key           `json:"key"`
	Messages []llm.Message `json:"messages"`
	Answer   llm.Answer    `json:"answer"`
	Err      string        `json:"err,omitempty"` // why the model answered nothing that can be used
}

// maxAnswer bounds a stored answer with its prompt, in bytes.
const maxAnswer = 64 << 20

// Answers are stored answers, by their keys. They are compressed, so that no
// search through files shows the code of a closed case.
type Answers struct{ dir string }

// AnswersOf are the answers of a run.
func AnswersOf(dir string) Answers { return Answers{filepath.Join(dir, answersDir)} }

func (a Answers) path(key string) string {
	return filepath.Join(a.dir, key[:2], key+".json.zst")
}

// Get returns a stored answer; false without one.
func (a Answers) Get(key string) (Stored, bool, error) {
	var s Stored
	if len(key) < 2 || strings.ContainsAny(key, `/\.`) { // a key that a file names
		return s, false, nil
	}
	file, err := regular.Open(a.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, fmt.Errorf("read a stored answer: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	z, err := zstd.NewReader(file, zstd.WithDecoderMaxMemory(maxAnswer), zstd.WithDecoderConcurrency(1))
	if err == nil {
		defer z.Close()
		err = json.NewDecoder(io.LimitReader(z, maxAnswer)).Decode(&s)
	}
	if err != nil {
		return s, false, fmt.Errorf("read the stored answer %s: %w", key, err)
	}
	return s, true, nil
}

// Put stores an answer, all of it or nothing.
func (a Answers) Put(s Stored) (string, error) {
	key := s.Key.String()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	if err == nil {
		err = json.NewEncoder(z).Encode(s)
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(a.path(key)), 0o700)
	}
	if err == nil {
		err = renameio.WriteFile(a.path(key), b.Bytes(), 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("store an answer: %w", err)
	}
	return key, nil
}

// copyTo copies an answer; one that is not there is left out.
func (a Answers) copyTo(to Answers, key string) error {
	s, ok, err := a.Get(key)
	if err == nil && ok {
		_, err = to.Put(s)
	}
	return err
}
