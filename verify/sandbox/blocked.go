package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Kinds of what a sandbox refuses: each entry of Result.Blocked begins with one
// of them and a colon.
const (
	blockedNetwork   = "network"
	blockedSocket    = "socket"
	blockedFiles     = "files"
	blockedRights    = "rights"
	blockedDisk      = "disk"
	blockedMemory    = "memory"
	blockedProcesses = "processes"
	blockedOpen      = "open files"
)

// refusals are the words of errors that a sandbox causes.
var refusals = []struct {
	kind    string
	pattern *lazyregexp.Regexp
}{
	{blockedSocket, lazyregexp.New(`dial unix[^\n]*(connection refused|no such file|permission denied)|(dial|listen) unix[^\n]*operation not permitted`)},
	{blockedNetwork, lazyregexp.New(`network is unreachable|no such host|server misbehaving|[Tt]emporary failure in name resolution|cannot assign requested address|dial (tcp|udp)[^\n]*(connection refused|permission denied|i/o timeout)|(dial|listen) (udp|ip)[^\n]*operation not permitted`)},
	{blockedFiles, lazyregexp.New(`read-only file system|/[^\n]*permission denied`)},
	{blockedDisk, lazyregexp.New(`no space left on device|file too large|file size limit exceeded`)},
	{blockedRights, lazyregexp.New(`permission denied|[Oo]peration not permitted|[Ff]unction not implemented`)},
	{blockedMemory, lazyregexp.New(`cannot allocate memory|out of memory|failed to allocate`)},
	{blockedOpen, lazyregexp.New(`too many open files`)},
	{blockedProcesses, lazyregexp.New(`resource temporarily unavailable`)},
}

// missing is how programs say that a file is not there, with its path.
var missing = lazyregexp.New(`(/[^\s:"'` + "`" + `]+)['"` + "`" + `]?: [Nn]o such file or directory`)

// refusedFile is how programs say which file they were refused.
var refusedFile = lazyregexp.New(`(/[^\s:"'` + "`" + `]+)['"` + "`" + `]?: (?:[Nn]o such file or directory|[Pp]ermission denied)`)

// readableFile reports whether a path is that of a file which this user may read.
func readableFile(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	_ = f.Close()
	return true
}

// Blocked finds lines that speak of a refusal, the first few, each with its kind
// before it. A file that is missing counts where it is there outside.
func Blocked(output []byte) []string {
	const most, width = 5, 160
	var found []string
	for line := range strings.Lines(string(output)) {
		kind := refusalIn(line)
		if kind == "" {
			continue
		}
		line = strings.TrimSpace(line)
		entry := kind + ": " + strings.ToValidUTF8(line[:min(len(line), width)], "")
		if !slices.Contains(found, entry) {
			found = append(found, entry)
		}
		if len(found) >= most {
			break
		}
	}
	return found
}

// refusalIn names the kind of refusal that a line speaks of; empty if of none.
func refusalIn(line string) string {
	for _, r := range refusals {
		if r.pattern.MatchString(line) {
			return r.kind
		}
	}
	if m := missing.FindStringSubmatch(line); m != nil && hiddenFile(m[1]) {
		return blockedFiles
	}
	return ""
}

// hiddenFile reports whether a path leads to something outside the sandbox, or to
// a directory in which it could be made, though not one that a sandbox has too.
func hiddenFile(path string) bool {
	path = filepath.Clean(path)
	if _, err := os.Lstat(path); err == nil {
		return true
	}
	dir := filepath.Dir(path)
	for _, top := range append(commonDirs(), "/") {
		if dir == top {
			return false
		}
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// commonDirs are there in a sandbox too, if empty: homes, run-time directories with their
// sockets, and temporary files.
func commonDirs() []string {
	dirs := []string{"/tmp", "/var/tmp", "/run", "/var/run"}
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, home)
	}
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); runtime != "" {
		dirs = append(dirs, runtime)
	}
	return dirs
}

// Needs says what a spec would have to allow so that none of what Blocked found
// is refused: NeedNetwork, NeedFiles, and before that NeedFile with the path of a
// file that a program was refused to read.
func Needs(blocked []string) []string {
	var needs []string
	for _, entry := range blocked {
		switch kind, _, _ := strings.Cut(entry, ":"); kind {
		case blockedNetwork:
			needs = append(needs, NeedNetwork)
		case blockedFiles:
			if m := refusedFile.FindStringSubmatch(entry); m != nil && readableFile(m[1]) {
				needs = append(needs, NeedFile+filepath.Clean(m[1]))
			}
			needs = append(needs, NeedFiles)
		case blockedSocket: // it is a file, and leads out
			needs = append(needs, NeedFiles, NeedNetwork)
		}
	}
	slices.Sort(needs)
	return slices.Compact(needs)
}
