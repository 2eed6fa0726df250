package trace

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
)

// Bounds of what is read and kept.
const (
	maxBytes      = 4 << 30   // of a log
	maxLine       = 256 << 10 // bytes; the rest of a longer one is dropped
	maxBlock      = 16 << 20  // bytes of one trace
	maxKept       = 64 << 20  // bytes of all traces
	maxGoroutines = 20_000    // of one trace
	firstKept     = 100       // traces at the beginning of a log
	maxTraces     = 500
	maxForeign    = 50 // lines of other programs in a row within a trace
	maxBefore     = 80 // lines that are looked back for what a trace says of itself
)

// Read finds the traces of a log. It reads to its end, or until ctx ends; what it
// keeps is bounded.
func Read(ctx context.Context, in io.Reader) (Log, error) {
	return (&scanner{most: maxKept}).read(ctx, in)
}

func (s *scanner) read(ctx context.Context, in io.Reader) (Log, error) {
	r := bufio.NewReaderSize(io.LimitReader(in, maxBytes), 256<<10)
	for ctx.Err() == nil {
		raw, err := s.next(r)
		if len(raw) > 0 || err == nil {
			s.log.Lines++
			for _, line := range unpack(strings.TrimRight(raw, "\r\n")) {
				s.line(clean(line))
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.log, err
		}
	}
	s.end(true)
	if more := len(s.log.Traces) - maxTraces; more > 0 {
		s.drop(more)
	}
	s.log.Cut = s.log.Bytes >= maxBytes
	return s.log, ctx.Err()
}

// next reads a line of bounded length.
func (s *scanner) next(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		s.log.Bytes += int64(len(part))
		if line == nil && len(part) <= maxLine && !errors.Is(err, bufio.ErrBufferFull) {
			return string(part), err // nearly every one
		}
		line = append(line, part[:min(len(part), maxLine-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(line), err
		}
	}
}

// scanner cuts a log into blocks, each the text of one trace as the runtime
// would have printed it.
type scanner struct {
	log    Log
	before []numbered // the last lines outside of any block
	block  []string
	size   int
	first  int    // line of the block
	said   string // the last line before the block
	prefix prefix
	heads  int    // goroutines in the block
	left   int    // … that were not kept
	call   string // a line that is a call if a place follows
	calls  bool   // there is one
	blank  bool   // the last line of the block was empty
	race   bool
	inside int // lines of a stack in the message of a panic, which is open; 0: there is none
	marked int // lines of the block that have its prefix, but for the first
	others int // foreign lines since the last of the block
	kept   int // bytes of the traces so far
	most   int // … and how many there may be
}

type numbered struct {
	number int
	text   string
}

// line takes the next line, clean.
func (s *scanner) line(text string) {
	if s.open() {
		if s.foreign(text) {
			s.remember(text)
			return
		}
		if s.goesOn(s.prefix.strip(text)) {
			return
		}
		s.end(false)
	}
	if !s.begins(text) {
		s.remember(text)
	}
}

// remember keeps the last lines outside of any block.
func (s *scanner) remember(text string) {
	s.before = append(s.before, numbered{s.log.Lines, text})
	if len(s.before) > 2*maxBefore {
		s.before = append(s.before[:0], s.before[maxBefore:]...)
	}
}

// foreign tells a line of another program in the same log: what the lines of
// this trace begin with is not on it.
func (s *scanner) foreign(text string) bool {
	switch {
	case s.prefix.on(text):
		s.marked, s.others = s.marked+1, 0
		return false
	case s.marked == 0 || s.others == maxForeign || isHeader(text) || strings.Contains(text, raceHead):
		return false
	}
	s.others++
	return true
}

func (s *scanner) open() bool { return s.first > 0 }

// begins reports whether a block begins with the line, and opens it.
func (s *scanner) begins(text string) bool {
	if at, number, state := headerOf(text); at >= 0 {
		if s.beginsInside(text, at) {
			return true
		}
		s.start(prefixBefore(text[:at]))
		s.header(number, state)
		return true
	}
	if at := strings.Index(text, raceHead); at >= 0 {
		s.start(prefixBefore(text[:at]))
		s.race = true
		s.keep(raceHead)
		return true
	}
	// A stack without a header: a place below a call. What comes between the words
	// of a crash and its first goroutine is the runtime's own.
	if len(s.before) == 0 || !mayBePlace(text) || s.announced() {
		return false
	}
	last := s.before[len(s.before)-1].text
	for _, at := range []int{0, indent(last)} {
		p := prefixBefore(last[:at])
		call, place := p.strip(last), p.strip(text)
		if isPlace(place) && (isCall(call) || bareCall.MatchString(call)) {
			s.before = s.before[:len(s.before)-1]
			s.start(p)
			s.heads++
			s.keep("goroutine 0 [unknown]:")
			s.keep(called(call))
			s.keep(place)
			return true
		}
	}
	return false
}

// announced reports whether one of the last lines was the head of a crash.
func (s *scanner) announced() bool {
	for _, b := range s.before[max(0, len(s.before)-maxBefore):] {
		if saysPanic(b.text) {
			return true
		}
	}
	return false
}

// indent is where a call may begin after a prefix: after the last run of white
// space or a bar.
func indent(line string) int {
	trimmed := strings.TrimRight(line, " \t")
	if i := strings.LastIndexAny(trimmed, " \t|"); i >= 0 && !strings.Contains(trimmed[i:], "(") {
		return i + 1
	}
	return 0
}

// start opens a block, with what was said before it.
func (s *scanner) start(p prefix) {
	s.prefix, s.first = p, s.log.Lines
	s.block, s.size, s.heads, s.left, s.race, s.calls, s.blank, s.inside = nil, 0, 0, 0, false, false, false, 0
	s.marked, s.others = 0, 0
	s.said = p.text
	from := -1
	for i := len(s.before) - 1; i >= max(0, len(s.before)-maxBefore); i-- {
		if saysPanic(p.strip(s.before[i].text)) {
			from = i
			break
		}
	}
	if from < 0 {
		s.said = s.saidBefore(p.text)
		s.before = nil
		return
	}
	for from > 0 && isContinued(p.strip(s.before[from].text)) && saysPanic(p.strip(s.before[from-1].text)) {
		from-- // the panics before it
	}
	s.first = s.before[from].number
	marked := p.on(s.before[from].text)
	for _, b := range s.before[from:] {
		if on := p.on(b.text); on || !marked { // what is between belongs to other programs
			s.keep(p.strip(b.text))
		}
	}
	if marked {
		s.marked = 1
	}
	if from > 0 && strings.TrimSpace(s.said) == "" {
		s.said = s.before[from-1].text
	}
	s.before = nil
}

// saidBefore is the line before a stack that says why it was printed: the nearest
// that names an error of the runtime, else the nearest that is not blank.
func (s *scanner) saidBefore(prefix string) string {
	const near = 8 // lines
	for i := len(s.before) - 1; i >= max(0, len(s.before)-near); i-- {
		if _, _, ok := said(s.before[i].text); ok {
			return s.before[i].text
		}
	}
	for i := len(s.before) - 1; i >= 0 && strings.TrimSpace(prefix) == ""; i-- {
		prefix = s.before[i].text
	}
	return prefix
}

// saysPanic tells the lines that the runtime, or a server, begins a trace with.
func saysPanic(line string) bool {
	line = strings.TrimPrefix(line, "\t")
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.Contains(line, "http: panic serving ")
}

func isContinued(line string) bool { return strings.HasPrefix(line, "\tpanic: ") }

func (s *scanner) keep(line string) {
	if s.size += len(line) + 1; !s.full() {
		s.block = append(s.block, line)
	}
}

// full reports whether nothing more is kept of the block.
func (s *scanner) full() bool { return s.size > maxBlock || s.heads > maxGoroutines }

func (s *scanner) header(number, state string) {
	s.heads++
	s.keep("goroutine " + number + " [" + state + "]:")
	if s.full() {
		s.left++
	}
}

// goesOn takes a line of the open block; false: it is none.
func (s *scanner) goesOn(line string) bool {
	switch {
	case s.race:
		return s.raceGoesOn(line)
	case s.inside > 0:
		return s.insideGoesOn(line)
	case s.calls:
		return s.placeGoesOn(line)
	case strings.TrimSpace(line) == "":
		if s.blank && s.heads > 0 {
			return false // two empty lines
		}
		s.blank = true
		return true
	}
	if at, number, state := headerOf(line); at == 0 {
		if s.blank {
			s.keep("")
		}
		s.blank = false
		s.header(number, state)
		return true
	}
	switch {
	case isElided(line), ancestorOf(line) != "", strings.HasPrefix(strings.TrimSpace(line), "goroutine running on other thread"):
		s.keep(line)
		return true
	case s.blank:
		return false
	case isCall(line), isCreated(line), bareCall.MatchString(line):
		s.call, s.calls = line, true
		return true
	}
	return false
}

// placeGoesOn takes the line after a call.
func (s *scanner) placeGoesOn(line string) bool {
	s.calls = false
	if !isPlace(line) {
		return false
	}
	s.keep(called(s.call))
	s.keep(line)
	return true
}

// called writes a call as the runtime does.
func called(line string) string {
	if isCall(line) || isCreated(line) {
		return line
	}
	return strings.TrimSpace(line) + "(...)"
}

const raceEnd = "=================="

func (s *scanner) raceGoesOn(line string) bool {
	if strings.HasPrefix(line, raceEnd) {
		s.keep(raceEnd)
		s.end(false)
		return true
	}
	trimmed := strings.TrimSpace(line)
	if trimmed != "" && !strings.HasPrefix(line, "  ") && !strings.HasSuffix(trimmed, ":") {
		return false
	}
	s.keep(line)
	return true
}

// end closes the block, if one is open, and parses it.
func (s *scanner) end(atEnd bool) {
	if !s.open() {
		return
	}
	s.leaveInside()
	t, ok := parse(s.block, s.race)
	pending := s.calls
	t.Line, t.Before, t.Left = s.first, strings.TrimSpace(s.said), s.left
	t.Text = strings.Join(s.block, "\n") + "\n"
	t.Truncated = t.Truncated || atEnd && (pending || ok && !t.ends()) || s.size > maxBlock
	s.first, s.block, s.calls = 0, nil, false
	if pending && !atEnd {
		s.before = append(s.before, numbered{s.log.Lines, s.call})
	}
	if !ok {
		return
	}
	t.explain()
	s.log.Traces = append(s.log.Traces, t)
	s.kept += len(t.Text)
	if len(s.log.Traces) > 2*maxTraces { // many at once: each time, those after them are moved
		s.drop(len(s.log.Traces) - maxTraces)
	}
	for s.kept > s.most && len(s.log.Traces) > 1 {
		s.drop(1)
	}
}

// drop leaves out traces in the middle.
func (s *scanner) drop(n int) {
	i := min(firstKept, len(s.log.Traces)/2)
	for _, t := range s.log.Traces[i : i+n] {
		s.kept -= len(t.Text)
	}
	s.log.Traces = slices.Delete(s.log.Traces, i, i+n)
	s.log.Left += n
}
