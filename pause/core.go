package pause

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The files in which Linux says how core files are named.
const (
	corePattern = "/proc/sys/kernel/core_pattern"
	coreUsesPID = "/proc/sys/kernel/core_uses_pid"
)

// clockTick is how far the times of files may be behind the clock.
const clockTick = 10 * time.Millisecond

// coreOf returns the core file of a process that has ended; empty where there is
// none, or where it cannot be found: a pattern may hand cores to a program. since
// is a moment at which the process still ran.
func coreOf(pid string, since time.Time) string {
	pattern, err := os.ReadFile(corePattern)
	if err != nil {
		return ""
	}
	uses, err := os.ReadFile(coreUsesPID)
	names := coreNames(strings.TrimSpace(string(pattern)), err == nil && strings.TrimSpace(string(uses)) != "0", pid)
	found, _ := filepath.Glob(names) // a pattern that is malformed finds nothing
	for _, name := range found {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() > 0 && !info.ModTime().Before(since.Add(-clockTick)) {
			return name
		}
	}
	return ""
}

// coreNames is what the core file of a process may be called, for filepath.Glob:
// see core(5). It is empty where cores are no files.
func coreNames(pattern string, usesPID bool, pid string) string {
	if pattern == "" || pattern[0] == '|' || pattern[0] == '@' {
		return ""
	}
	var name strings.Builder
	named := false
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' || i+1 == len(pattern) {
			name.WriteByte(pattern[i])
			continue
		}
		i++
		switch pattern[i] {
		case '%':
			name.WriteByte('%')
		case 'p':
			named = true
			name.WriteString(pid)
		default: // the program, the time, the host
			name.WriteByte('*')
		}
	}
	if usesPID && !named {
		name.WriteString("." + pid)
	}
	return name.String()
}

// command is a line for a shell.
func command(words ...string) string {
	for i, w := range words {
		if strings.ContainsFunc(w, func(r rune) bool { return r <= ' ' || strings.ContainsRune("'\"\\$`&|;<>()*?[]{}~#!", r) }) {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
