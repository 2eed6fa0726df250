//go:build unix

package pause

import (
	"io/fs"
	"os"
	"syscall"
)

// asItIs opens a file and not what a link leads to, and waits for nobody.
const asItIs = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// onlyOurs reports whether a file is this user's, has one name, and can be read
// by nobody else.
func onlyOurs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && stat.Nlink == 1 && info.Mode().Perm()&0o077 == 0
}
