package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// descendant finds the process below another one that runs a program with a name.
func descendant(pid int, name string) (int, bool) {
	list, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return 0, false
	}
	for _, file := range list {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		for _, word := range strings.Fields(string(text)) {
			child, err := strconv.Atoi(word)
			if err != nil {
				continue
			}
			if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", child)); err == nil && filepath.Base(exe) == name {
				return child, true
			}
			if found, ok := descendant(child, name); ok {
				return found, true
			}
		}
	}
	return 0, false
}
