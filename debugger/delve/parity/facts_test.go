//go:build linux

package parity

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// comparison is how the answers of two debuggers to a command are held against
// each other: the facts of both are taken out of their texts.
type comparison struct {
	// Words say what is compared, for the document.
	words string
	// theirs and ours take the facts out, sorted where order means nothing.
	theirs, ours func(text string) []string
	// atLeast: ours may say more.
	atLeast bool
	// marks: the sign of the current line is one of the facts.
	marks bool
}

// differs says in what way ours lacks a fact, or says one too many; empty where
// they agree.
func (c comparison) differs(theirs, ours string) string {
	if !c.marks && strings.Contains(ours, "▸ ") {
		ours = unmarked.ReplaceAllString(ours, "")
	}
	want, got := c.theirs(theirs), c.ours(ours)
	if len(want) == 0 {
		return "dlv's answer has no facts:\n" + theirs
	}
	rest := slices.Clone(got)
	for _, fact := range want {
		i := slices.Index(rest, fact)
		if i < 0 {
			return fmt.Sprintf("ours lacks %q\ndlv:\n%s\nours:\n%s\nfacts of ours: %q", fact, theirs, ours, got)
		}
		rest = slices.Delete(rest, i, i+1)
	}
	if len(rest) > 0 && !c.atLeast {
		return fmt.Sprintf("ours also says %q\ndlv:\n%s\nours:\n%s", rest, theirs, ours)
	}
	return ""
}

// unmarked takes away the column in which the current line is marked.
var unmarked = regexp.MustCompile(`(?m)^(?:▸ |  )`)

// comparisons are the ways to compare, by the names that docs/dlv-parity.md uses.
var comparisons = map[string]comparison{
	"lines": {words: "the same lines, but for white space", theirs: lines, ours: lines},
	"values": {words: "every name, number, string and boolean that dlv writes stands in ours, as often",
		theirs: values, ours: values, atLeast: true},
	"heads": {words: "of each variable its name, with its value where that is a number, a string or a boolean, else its length",
		theirs: heads(`(?:len: |chan \S+ )`), ours: heads(`len `)},
	"frames": {words: "number, address, function, file and line of each frame", theirs: theirFrames, ours: ourFrames},
	"full frames": {words: "frames as above, and the names of the variables of each",
		theirs: both(theirFrames, variables), ours: both(ourFrames, variables)},
	"deferred calls": {words: "address, function, file and line of each deferred call and of its defer statement", theirs: deferred, ours: deferred},
	"goroutines":     {words: "id, function, file, line, thread, wait reason of each goroutine", theirs: theirGoroutines, ours: ourGoroutines},
	"groups":         {words: "names and totals of the groups", theirs: theirGroups, ours: ourGroups},
	"goroutine": {words: "its id and the four functions with their files and lines",
		theirs: both(found(`Goroutine (\d+)`), swapped(found(`(?m)^\s+(?:Runtime|User|Go|Start): (\S+:\d+) (\S+)`))),
		ours:   both(found(`goroutine (\d+)`), found(`(?m)^\s+(?:now|user|go|start)\s+(\S+)\s+(\S+:\d+)`))},
	"executed": {words: "the goroutines, and what the command says on each", theirs: both(theirGoroutines, found(`(?m)^(7)$`)), ours: both(ourGoroutines, found(`(?m)Opened = (7)$`))},
	"frame": {words: "its number, file, line and address", theirs: found(`(?m)^Frame (\d+): (\S+:\d+) \(PC: ([0-9a-f]+)\)`),
		ours: found(`(?m)^frame (\d+): \S+  (\S+:\d+)  0x([0-9a-f]+)`)},
	"threads":   {words: "number, address, function, file and line of each thread", theirs: theirThreads, ours: ourThreads},
	"registers": {words: "name and value of each register", theirs: registers, ours: registers},
	"bytes":     {words: "the address and value of each element", theirs: memory, ours: memory},
	"code":      {words: "address, line, bytes and text of each instruction", theirs: theirCode, ours: ourCode},
	"source":    {words: "number and text of each line, and which is current", theirs: theirSource, ours: ourSource, marks: true},
	"places":    {words: "the function, file and line that are printed", theirs: places, ours: places, atLeast: true},
	"stop":      {words: "function, file, line and address of the place where both stand afterwards", theirs: lines, ours: lines},
	"type":      {words: "names, sizes and types that are printed", theirs: typeWords, ours: typeWords, atLeast: true},
	"nothing":   {words: "both say that there is nothing", theirs: nothing, ours: nothing},
	"labels":    {words: "the labels", theirs: found(`("\w+":"\w+")`), ours: found(`("\w+":"\w+")`)},
	"channel":   {words: "length, capacity and items of the channel, and the goroutines that wait on it", theirs: theirChannel, ours: ourChannel},
	"processes": {words: "number and command line of each process", theirs: found(`(?m)^\*?\s*(\d+)\s+(\S.*)$`), ours: found(`(?m)^\s*(\d+)\s+(\S.*)$`)},
	"commands":  {words: "names and aliases of all commands", theirs: theirCommands, ours: ourCommands, atLeast: true},
}

func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

func both(a, b func(string) []string) func(string) []string {
	return func(text string) []string { return append(a(text), b(text)...) }
}

// found makes facts of what a pattern's groups match; files lose their
// directories, numbers their leading zeros.
func found(pattern string) func(string) []string {
	re := regexp.MustCompile(pattern)
	return func(text string) []string {
		var out []string
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			for i := range m {
				m[i] = plain(m[i])
			}
			out = append(out, strings.Join(m[1:], " "))
		}
		return out
	}
}

func plain(fact string) string {
	if n, err := strconv.ParseUint(fact, 0, 64); err == nil && strings.HasPrefix(fact, "0x") {
		return fmt.Sprintf("%#x", n)
	}
	if file, line, ok := strings.Cut(fact, ":"); ok && strings.ContainsAny(file, "/.") {
		return path.Base(file) + ":" + line
	}
	return fact
}

// token is a word of a value: a string, a number, a name.
var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[-+]?\d+(?:\.\d+)?(?:e[-+]\d+)?|0x[0-9a-f]+|[\pL_][\pL\d_]*`)

// noise are the words of dlv's typography, and types, which are compared by
// whatis.
var noise = map[string]bool{"len": true, "cap": true, "main": true, "string": true, "int": true, "float64": true, "map": true, "Fruit": true,
	"Crate": true, "uint8": true, "chan": true, "error": true, "interface": true, "nil": true, "errors": true, "errorString": true,
	"more": true, "enter": true, "opens": true, "it": true, "data": true, "struct": true}

func values(text string) []string {
	var out []string
	for _, t := range token.FindAllString(text, -1) {
		if !noise[t] {
			out = append(out, strings.TrimPrefix(t, "+"))
		}
	}
	slices.Sort(out)
	return out
}

// heads takes the names of variables with what can be said in a word.
func heads(length string) func(string) []string {
	line := regexp.MustCompile(`(?m)^(\(?[\pL_][\pL\d_./]*\)?) = (.*)$`)
	simple := regexp.MustCompile(`^(?:"[^"]*"|[-+]?[\d.]+|true|false|[\pL.]+ \(\d+\))$`)
	long := regexp.MustCompile(length + `(\d+)`)
	return func(text string) []string {
		var out []string
		for _, m := range line.FindAllStringSubmatch(text, -1) {
			fact := m[1]
			if simple.MatchString(m[2]) {
				fact += " " + m[2][strings.LastIndex(m[2], ".")+1:]
			} else if n := long.FindStringSubmatch(m[2]); n != nil && !strings.Contains(m[2], "{") {
				fact += " of " + n[1]
			}
			out = append(out, fact)
		}
		slices.Sort(out)
		return out
	}
}

// The stack of both: dlv takes two lines a frame.
var (
	theirFrames = found(`(?m)^\s*(\d+)\s+(0x[0-9a-f]+) in (\S+)\s+at (\S+:\d+)`)
	ourFrames   = func(text string) []string {
		re := regexp.MustCompile(`(?m)^\s*(\d+)  (\S+)  (\S+:\d+)  (0x[0-9a-f]+)$`)
		return ordered(re, text, 1, 4, 2, 3)
	}
	variables = found(`(?m)^\s{6,}([\pL_][\pL\d_]*) = `)
	deferred  = func(text string) []string {
		calls := found(`defer \d+: (0x[0-9a-f]+)\s+(?:in )?(\S+)\s+(?:at )?(\S+:\d+)`)(text)
		return append(calls, found(`deferred by (\S+)\s+(?:at )?(\S+:\d+)`)(text)...)
	}
	places    = found(`((?:main|runtime|time|runtime/pprof)\.[\pL\d_.()*]+?)(?:\(\))? +(?:at )?(\S+:\d+)|(?:\S+ )?(\S+\.(?:go|s):\d+) +\(?0x`)
	registers = found(`(?m)^\s*(\w+) = (0x[0-9a-f]+)`)
)

func init() {
	c := comparisons["places"]
	c.theirs, c.ours = spots, spots
	comparisons["places"] = c
}

// spots takes every file with its line and every function of the program.
func spots(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`[^\s,]+\.(?:go|s):\d+`).FindAllString(text, -1) {
		out = append(out, plain(m))
	}
	for _, m := range regexp.MustCompile(`(?:^|[\s>])((?:main|runtime)\.[\pL\d_.()*]*[\pL\d_])`).FindAllStringSubmatch(text, -1) {
		if !strings.HasSuffix(m[1], ".go") {
			out = append(out, strings.TrimSuffix(m[1], "()"))
		}
	}
	slices.Sort(out)
	return out
}

// theirGoroutines reads "* Goroutine 1 - User: ./main.go:3 main.f (0x1) (thread 5) [chan receive 12]".
func theirGoroutines(text string) []string {
	re := regexp.MustCompile(`(?m)Goroutine (\d+) - \w+: (\S+:\d+) (\S+) \((0x[0-9a-f]+|0)\)(?: \(thread (\d+)\))?(?: \[([^\]\n]+?)(?: \d+)?\])?`)
	return ordered(re, text, 1, 3, 2, 4, 5, 6)
}

// ourGoroutines reads "1    chan receive 12  main.f  /x/main.go:3  thread 5  0x1"; dlv says
// no state where there is no reason to wait.
func ourGoroutines(text string) []string {
	re := regexp.MustCompile(`(?m)^\s*(\d+)\s+(?:running|runnable|waiting|syscall|idle|dead|(\S[^\n]*?)(?: \d+)?)\s\s+(?:started at |started with )?(\S+)\s+(\S+:\d+)(?:  thread (\d+))?(?:  (0x[0-9a-f]+))?$`)
	return ordered(re, text, 1, 3, 4, 6, 5, 2)
}

// ordered makes facts of a pattern's groups, in the order given.
func ordered(re *regexp.Regexp, text string, order ...int) []string {
	var out []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		var fact []string
		for _, i := range order {
			fact = append(fact, plain(m[i]))
		}
		out = append(out, strings.Join(fact, " "))
	}
	slices.Sort(out)
	return out
}

func theirGroups(text string) []string {
	return append(found(`(?m)^(\S[^\n]*)\n\t`)(text), found(`Total: (\d+)`)(text)...)
}

func ourGroups(text string) []string {
	return append(found(`(?m)^(\S[^\n]*)\n    `)(text), found(`total: (\d+)`)(text)...)
}

var (
	theirThreads = found(`Thread (\d+) at (0x[0-9a-f]+) (\S+:\d+) (\S+)`)
	ourThreads   = func(text string) []string {
		var out []string
		for _, m := range regexp.MustCompile(`(?m)^(\d+)  (0x[0-9a-f]+)  (\S+)  (\S+:\d+)`).FindAllStringSubmatch(text, -1) {
			out = append(out, strings.Join([]string{m[1], plain(m[2]), plain(m[4]), m[3]}, " "))
		}
		return out
	}
	theirCode = found(`(?m)^(?:=>)?\s*([\w.]+:\d+)\s+(0x[0-9a-f]+)\*?\s+([0-9a-f]+)\s+(\S[^\n]*?)\s*$`)
	ourCode   = theirCode
)

// memory reads "0xc000:   0x01   0x02" into an element each; ours may be
// followed by the bytes as text.
func memory(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		head, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		address, err := strconv.ParseUint(head, 0, 64)
		if !ok || err != nil {
			continue
		}
		rest, _, _ = strings.Cut(rest, "|")
		for i, word := range strings.Fields(rest) {
			if i == 0 {
				out = append(out, fmt.Sprintf("%#x", address))
			}
			n, err := strconv.ParseUint(strings.TrimLeft(strings.TrimPrefix(word, "0x"), "0")+"", 16, 64)
			if err != nil {
				n = 0
			}
			out = append(out, fmt.Sprint(n))
		}
	}
	return out
}

func theirSource(text string) []string {
	return source(regexp.MustCompile(`(?m)^(=>)?\s*(\d+):\t?([^\n]*)$`), text, 1, 2, 3)
}

func ourSource(text string) []string {
	return source(regexp.MustCompile(`(?m)^(▸ )?\s*(\d+)  ?([^\n]*)$`), text, 1, 2, 3)
}

func source(re *regexp.Regexp, text string, mark, number, words int) []string {
	var out []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		fact := m[number] + " " + strings.Join(strings.Fields(m[words]), " ")
		if m[mark] != "" {
			fact = "at " + fact
		}
		out = append(out, fact)
	}
	return out
}

func typeWords(text string) []string {
	var out []string
	for _, w := range regexp.MustCompile(`[\pL_*\[\]][\pL\d_.*\[\]]*|\d+`).FindAllString(text, -1) {
		switch strings.ToLower(w) {
		case "type", "size", "bytes", "real", "concrete", "fields", "methods", "a", "of":
		default:
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// theirCommands reads "    break (alias: b) ---- Sets a breakpoint."
func theirCommands(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^    ([\w-]+?)(?: \(alias: ([^)]*)\))?\s-`).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
		for _, a := range strings.Split(m[2], "|") {
			if a = strings.TrimSpace(a); a != "" {
				out = append(out, a)
			}
		}
	}
	return out
}

func ourCommands(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^  (\S+(?:, \S+)*)  `).FindAllStringSubmatch(text, -1) {
		out = append(out, strings.Split(m[1], ", ")...)
	}
	return out
}

// nothing is said in few words.
func nothing(text string) []string {
	if regexp.MustCompile(`^\(?no [\w ]+\)?\s*$`).MatchString(text) {
		return []string{"nothing"}
	}
	return []string{text}
}

// theirChannel reads the fields of the runtime's channel.
func theirChannel(text string) []string {
	one := func(pattern string) string {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
			return m[1]
		}
		return "?"
	}
	length, _ := strconv.Atoi(one(`qcount: (\d+)`))
	facts := []string{"length " + strconv.Itoa(length), "capacity " + one(`dataqsiz: (\d+)`)}
	items := strings.Split(one(`buf: [^\n]*\[([\d,]*)\],`), ",")
	facts = append(facts, items[:min(length, len(items))]...)
	return append(facts, theirGoroutines(text)...)
}

func ourChannel(text string) []string {
	var facts []string
	if m := regexp.MustCompile(`len (\d+) cap (\d+)`).FindStringSubmatch(text); m != nil {
		facts = append(facts, "length "+m[1], "capacity "+m[2])
	}
	for _, m := range regexp.MustCompile(`(?m)^  +\[\d+\] = (\d+)$`).FindAllStringSubmatch(text, -1) {
		facts = append(facts, m[1])
	}
	return append(facts, ourGoroutines(text)...)
}

// swapped turns pairs of facts about.
func swapped(of func(string) []string) func(string) []string {
	return func(text string) []string {
		out := of(text)
		for i := range out {
			if a, b, ok := strings.Cut(out[i], " "); ok {
				out[i] = b + " " + a
			}
		}
		return out
	}
}
