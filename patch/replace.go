package patch

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Exact search/replace is the form for very long functions, where a whole
// function costs too much: blocks of
//
//	<<<<<<< SEARCH
//	text as it is in the file
//	=======
//	what it becomes
//	>>>>>>> REPLACE
//
// in a fence or not, each optionally below a line that names its file. The
// search text must be in exactly one place, byte for byte but for line ends.
// Nothing is matched loosely: that corrupts files.

var (
	searchMark  = lazyregexp.New(`^<{5,9} ?SEARCH\s*$`)
	middleMark  = lazyregexp.New(`^={5,9}\s*$`)
	replaceMark = lazyregexp.New(`^>{5,9} ?REPLACE\s*$`)
	fileLine    = lazyregexp.New("^[`*#/ ]*" + namedFile + "[`*:]*\\s*$")
)

// namedFile matches the name of a Go file, with or without a label. A label ends
// before the name: filepicker/x.go and file.go have none.
const namedFile = "(?:[Ff]ile(?:name)?[`*]*[: ][`* ]*)?([\\pL\\pN_./+@~-]+\\.go)"

// block is one search/replace of a reply.
type block struct {
	file            string // as the reply names it; may be empty
	search, replace string // whole lines
	line            int    // of the reply, 1-based, where the block begins
}

// HasBlocks reports whether a reply gives search/replace blocks.
func HasBlocks(reply string) bool {
	return slices.ContainsFunc(strings.Split(reply, "\n"), func(l string) bool {
		return searchMark.MatchString(strings.TrimSuffix(l, "\r"))
	})
}

// ReplaceAll carries out the search/replace blocks of a reply, in order. files
// maps names, with slashes, to contents. It fails with a *ReplyError.
func ReplaceAll(files map[string]string, reply string) ([]Edit, error) {
	if len(reply) > MaxReply {
		return nil, refuse(ErrTooLong, 0, "%d bytes; at most %d", len(reply), MaxReply)
	}
	blocks, err := parseBlocks(reply)
	if err != nil {
		return nil, err
	}
	after := map[string]string{}
	for _, b := range blocks {
		name, next, err := b.apply(files, after)
		if err != nil {
			return nil, err
		}
		after[name] = next
	}
	var edits []Edit
	for name, text := range after {
		if text == files[name] {
			continue
		}
		if strings.HasSuffix(name, ".go") {
			if _, err := parseGo(name, text); err != nil {
				return nil, syntaxError(err, false)
			}
		}
		edits = append(edits, Edit{File: name, Before: files[name], After: text})
	}
	if len(edits) == 0 {
		return nil, refuse(ErrNoChange, 0, "")
	}
	slices.SortFunc(edits, func(a, b Edit) int { return strings.Compare(a.File, b.File) })
	return edits, nil
}

func parseBlocks(reply string) ([]block, error) {
	var list []block
	var search, replace []string
	state, start, file := 0, 0, ""
	for i, line := range strings.Split(strings.ReplaceAll(reply, "\r\n", "\n"), "\n") {
		switch {
		case state == 0 && searchMark.MatchString(line):
			state, start, search, replace = 1, i+1, nil, nil
		case state == 1 && middleMark.MatchString(line):
			state = 2
		case state == 2 && replaceMark.MatchString(line):
			list = append(list, block{file, wholeLines(search), wholeLines(replace), start})
			state = 0
		case state == 1:
			search = append(search, line)
		case state == 2:
			replace = append(replace, line)
		case fileLine.MatchString(line):
			file = strings.TrimPrefix(fileLine.FindStringSubmatch(line)[1], "./")
		}
	}
	if state != 0 {
		return nil, refuse(ErrSyntax, start, "the search/replace block is not closed")
	}
	if len(list) == 0 {
		return nil, refuse(ErrNoCode, 0, "no search/replace block")
	}
	return list, nil
}

func wholeLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// apply returns the file that a block changes and its new content.
func (b block) apply(files, after map[string]string) (name, text string, err error) {
	if strings.TrimSpace(b.search) == "" {
		return "", "", refuse(ErrNoMatch, b.line, "the search text is empty")
	}
	named := false
	_, exact := files[b.file]
	for candidate, src := range files {
		if b.file != "" && candidate != b.file && (exact || !strings.HasSuffix(candidate, "/"+b.file)) {
			continue
		}
		named = true
		if changed, ok := after[candidate]; ok {
			src = changed
		}
		next, n := b.in(src)
		if n > 1 || n == 1 && name != "" {
			return "", "", refuse(ErrAmbiguous, b.line, "the search text is in more than one place; give more lines")
		}
		if n == 1 {
			name, text = candidate, next
		}
	}
	if !named {
		return "", "", refuse(ErrNoFile, b.line, "%s", shorten(b.file, maxTitle))
	}
	if name == "" {
		return "", "", refuse(ErrNoMatch, b.line, "%q", shorten(strings.TrimSpace(b.search), 80))
	}
	return name, text, nil
}

// in replaces the search text in src and counts how often it is there: 2
// stands for more than once. Only whole lines match; a byte order mark does
// not count, nor does how lines end.
func (b block) in(src string) (string, int) {
	body, marked := strings.CutPrefix(src, bom)
	have := splitLines(body)
	text, ends := cutEnds(have)
	search, _ := cutEnds(splitLines(b.search))
	at := -1
	for i := 0; i+len(search) <= len(text); i++ {
		if !slices.Equal(text[i:i+len(search)], search) {
			continue
		}
		if at >= 0 {
			return "", 2
		}
		at = i
	}
	if at < 0 {
		return "", 0
	}
	end := at + len(search)
	replace := b.replace
	if end == len(text) && ends[end-1] == "" { // the file's last line, without a newline
		replace = strings.TrimSuffix(replace, "\n")
	}
	out := strings.Join(have[:at], "") + keepEndings(strings.Join(have[at:end], ""), replace, usualEnd(body)) + strings.Join(have[end:], "")
	if marked {
		out = bom + out
	}
	return out, 1
}
