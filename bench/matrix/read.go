package matrix

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/pausetui/pausetui/internal/regular"
)

const (
	maxPlan = 64 << 20 // bytes of a plan
	maxLine = 32 << 20 // bytes of a line of a run's files
)

// ReadPlan reads the plan of a run.
func ReadPlan(dir string) (Plan, error) {
	file, err := regular.Open(filepath.Join(dir, planFile))
	if err != nil {
		return Plan{}, fmt.Errorf("read the plan: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	var p Plan
	if err := json.NewDecoder(io.LimitReader(file, maxPlan)).Decode(&p); err != nil {
		return Plan{}, fmt.Errorf("read the plan of %q: %w", dir, err)
	}
	if p.Version != planVersion {
		return Plan{}, fmt.Errorf("read the plan of %q: it is of version %d, this pausetui reads %d", dir, p.Version, planVersion)
	}
	return p, p.bounded()
}

// Size is how many bytes of results a run has; 0 where there are none yet.
func Size(dir string) int64 {
	info, err := os.Stat(filepath.Join(dir, resultFile))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Scan reads the results of a run. They come in any order, one call at a time,
// and each cell once. It holds no more than a part of them in memory. A last
// line that was not written to its end is left out.
func Scan(dir string, p Plan, each func(Result)) error {
	file, err := regular.Open(filepath.Join(dir, resultFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the results: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	seen := make([]bool, p.Len())
	return decodeParts(file, func(list []Result) error {
		for _, r := range list {
			if !p.Has(r.Cell) {
				return fmt.Errorf("read the results of %q: cell %v is not one of the plan", dir, r.Cell)
			}
			if i := p.Index(r.Cell); !seen[i] {
				seen[i] = true
				each(r)
			}
		}
		return nil
	})
}

// partSize is how many bytes of results are decoded at a time, by one of the
// processors.
const partSize = 1 << 20

// decodeParts reads lines in parts, decodes the parts in parallel, and hands
// them over one at a time.
func decodeParts(r io.Reader, take func([]Result) error) error {
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	free := make(chan *decoder, runtime.GOMAXPROCS(0))
	for range cap(free) {
		free <- &decoder{}
	}
	err := parts(r, func(part []byte) error {
		d := <-free
		d.part = append(d.part[:0], part...)
		mu.Lock()
		defer mu.Unlock()
		wg.Go(func() {
			defer func() { free <- d }()
			list, err := d.lines()
			mu.Lock()
			defer mu.Unlock()
			if err == nil && failed == nil {
				err = take(list)
			}
			if failed == nil {
				failed = err
			}
		})
		return failed
	})
	wg.Wait()
	if err == nil {
		err = failed
	}
	return err
}

// parts cuts what it reads into parts of whole lines, which are good until the
// call returns.
func parts(r io.Reader, each func([]byte) error) error {
	buffer, have := make([]byte, partSize), 0
	for {
		if have == len(buffer) { // a line is longer
			buffer = append(buffer, make([]byte, len(buffer))...)
		}
		more, err := io.ReadFull(r, buffer[have:])
		part := buffer[:have+more]
		end := bytes.LastIndexByte(part, '\n') + 1
		if end > 0 {
			if err := each(part[:end]); err != nil {
				return err
			}
		}
		have = copy(buffer, part[end:])
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return nil
		case err != nil:
			return err
		case have > maxLine:
			return fmt.Errorf("a line of over %d MB", maxLine>>20)
		}
	}
}

// Details reads the details of the cells that are wanted, in the order of the
// file.
func Details(dir string, want func(Cell) bool, each func(Detail) error) error {
	return eachLine(filepath.Join(dir, detailFile), func(line []byte) error {
		if c, ok := cellOf(line); ok && !want(c) {
			return nil // most lines, and long ones: they need no decoding
		}
		var d Detail
		if err := json.Unmarshal(line, &d); err != nil {
			return err
		}
		if !want(d.Cell) {
			return nil
		}
		return each(d)
	})
}

// Troubles reads why cells have no result, the newest of each.
func Troubles(dir string) (map[Cell]string, error) {
	list := map[Cell]string{}
	err := eachLine(filepath.Join(dir, troubleFile), func(line []byte) error {
		var t Trouble
		if err := json.Unmarshal(line, &t); err != nil {
			return err
		}
		list[t.Cell] = t.Err
		return nil
	})
	return list, err
}

// readAsked reads which answers were stored for which cell.
func readAsked(dir string) (map[Cell][]string, error) {
	list := map[Cell][]string{}
	err := eachLine(filepath.Join(dir, askedFile), func(line []byte) error {
		var a asked
		if err := json.Unmarshal(line, &a); err != nil {
			return err
		}
		list[a.Cell] = append(list[a.Cell], a.Key)
		return nil
	})
	return list, err
}

// eachLine reads a file of lines; one that does not exist has none. A last line
// that was not written to its end is left out.
func eachLine(path string, each func([]byte) error) error {
	file, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	err = parts(file, func(part []byte) error {
		for line := range bytes.Lines(part) {
			if err := each(line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read %q: %w", path, err)
	}
	return nil
}
