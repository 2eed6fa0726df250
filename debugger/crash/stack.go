package crash

import (
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

var (
	// "goroutine 7 [chan receive, 2 minutes]:", "goroutine 1 gp=0xc… m=0 mp=0x… [running]:"
	goroutineLine = lazyregexp.New(`^goroutine (\d+) (?:[^\[]* )?\[([^\]]*)\]:$`)
	// "\t/src/main.go:12 +0x1d", with more after it under GOTRACEBACK=system
	placeLine = lazyregexp.New(`^\t(.+?):(\d+)(?: .*)?$`)
	// "...additional frames elided...", "...1234 frames elided..."
	elided = lazyregexp.New(`^\.\.\..*frames elided\.\.\.$`)
)

func isGoroutine(text string) bool {
	return strings.HasPrefix(text, "goroutine ") && goroutineLine.MatchString(text)
}

// parseGoroutines reads goroutines from line i on, which blank lines part; end
// is the line after the last.
func parseGoroutines(lines []line, i int) (list []Goroutine, end int) {
	end = i
	for i < len(lines) && isGoroutine(lines[i].text) {
		g, next := parseGoroutine(lines, i)
		if len(list) < maxGoroutines {
			list = append(list, g)
		}
		i, end = next, next
		for i < len(lines) && lines[i].text == "" {
			i++
		}
	}
	return list, end
}

// Goroutines reads every goroutine that a text shows, as a Go program prints
// them when it is asked to with SIGQUIT.
func Goroutines(text []byte) []Goroutine {
	lines := split(text)
	var found []Goroutine
	for i := 0; i < len(lines) && len(found) < maxGoroutines; {
		if !isGoroutine(lines[i].text) {
			i++
			continue
		}
		var list []Goroutine
		list, i = parseGoroutines(lines, i)
		found = append(found, list...)
	}
	return found
}

func parseGoroutine(lines []line, i int) (g Goroutine, next int) {
	m := goroutineLine.FindStringSubmatch(lines[i].text)
	id, _ := strconv.ParseInt(m[1], 10, 64) // digits by the pattern
	g = Goroutine{ID: debugger.GoroutineID(id), State: m[2]}
	for i++; i < len(lines); i++ {
		text := lines[i].text
		if elided.MatchString(text) || strings.HasPrefix(text, "goroutine running on other thread") {
			continue
		}
		if i+1 >= len(lines) || !isCall(text) {
			break
		}
		at := placeLine.FindStringSubmatch(lines[i+1].text)
		if at == nil {
			break
		}
		i++
		if strings.HasPrefix(text, "created by ") || len(g.Frames) >= maxFrames {
			continue
		}
		g.Frames = append(g.Frames, frame(len(g.Frames), text, at))
	}
	return g, i
}

func isCall(text string) bool {
	return strings.HasPrefix(text, "created by ") || (strings.HasSuffix(text, ")") && !strings.HasPrefix(text, "\t"))
}

// frame makes a frame of "main.(*T).Add(0xc0, {0x1, 0x2})" and its place.
func frame(index int, call string, at []string) debugger.Frame {
	name := call
	if i := strings.LastIndexByte(call, '('); i >= 0 {
		name = call[:i]
	}
	name = debugger.Unescaped(name)
	number, _ := strconv.Atoi(at[2]) // digits by the pattern
	return debugger.Frame{
		Index: index, Function: name, File: at[1], Line: number,
		Runtime: name == "panic" || strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/") || debugger.PauseFrame(name),
	}
}
