package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// BundleExt is what the name of a bundle of a session ends with (package
// session/bundle).
const BundleExt = ".pausetui"

var snapshotName = lazyregexp.New(`^(\d{8}-\d{6}(?:-\d+)?)-snapshot-(\d{1,4})\` + BundleExt + `$`)

// Snapshots are the paths of the snapshots of a session, next to its log, the
// oldest first. They are bundles with a core dump.
func Snapshots(dir, id string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	numbers := map[string]int{}
	var list []string
	for _, e := range entries {
		m := snapshotName.FindStringSubmatch(e.Name())
		if m == nil || m[1] != id || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		numbers[path], _ = strconv.Atoi(m[2]) // it is a number
		list = append(list, path)
	}
	slices.SortFunc(list, func(a, b string) int { return numbers[a] - numbers[b] })
	return list
}

// NextSnapshot is the path of the next snapshot of a session.
func NextSnapshot(dir, id string) string {
	n := 1
	if list := Snapshots(dir, id); len(list) > 0 {
		m := snapshotName.FindStringSubmatch(filepath.Base(list[len(list)-1]))
		last, _ := strconv.Atoi(m[2]) // it is a number
		n = last + 1
	}
	return filepath.Join(dir, fmt.Sprintf("%s-snapshot-%d%s", id, n, BundleExt))
}
