package exeinfo

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// Bounds of what is read of a program before its build information is found, and
// of that: parsed, it takes many times as much memory. The kubelet's has 20 kB.
const (
	maxSearch    = 1 << 30
	maxBuildInfo = 1 << 20
)

// ErrBuildInfo is returned for a program whose build information is too large to
// be parsed.
var ErrBuildInfo = fmt.Errorf("its build information takes more than %d MB", maxBuildInfo>>20)

var errSearch = fmt.Errorf("there is none in %d MB", maxSearch>>20)

// Build reads how a program was built.
func Build(file string) (*debug.BuildInfo, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := buildinfo.Read(&buildReader{file: f, left: maxSearch, beyond: errSearch})
	if err != nil {
		return nil, fmt.Errorf("read the build information of %q: %w", file, err)
	}
	return info, nil
}

// buildReader reads no more than is left, which becomes little once package
// buildinfo has found the header of the build information and goes on to its texts.
type buildReader struct {
	file   io.ReaderAt
	left   int
	beyond error // that is returned beyond what is left
}

// header is how build information begins, and headerSize how much is read of it
// at once (debug/buildinfo).
const (
	header     = "\xff Go buildinf:"
	headerSize = 32
)

func (r *buildReader) ReadAt(p []byte, at int64) (int, error) {
	if r.left -= len(p); r.left < 0 {
		return 0, r.beyond
	}
	n, err := r.file.ReadAt(p, at)
	if n == headerSize && bytes.HasPrefix(p, []byte(header)) {
		r.left, r.beyond = maxBuildInfo, ErrBuildInfo
	}
	return n, err
}
