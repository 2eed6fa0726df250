//go:build linux || darwin || freebsd || netbsd

package patch

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// maxAttr bounds an extended attribute that is copied, in bytes: what Linux
// allows at most.
const maxAttr = 64 << 10

// accessList is the attribute that holds a file's POSIX ACL. A new file may have
// one from its directory that the file it replaces has not.
const accessList = "system.posix_acl_access"

// notCopied vouch for a file's content, or give rights to it: new content must
// earn them again.
var notCopied = []string{"security.capability", "security.ima", "security.evm"}

// copyAttrs gives a file the extended attributes of the one at path, with its
// access list, as far as that is allowed and the file system knows them.
func copyAttrs(file *os.File, path string) {
	fd := int(file.Fd())
	names := attrNames(func(to []byte) (int, error) { return unix.Listxattr(path, to) })
	for _, name := range names {
		if slices.Contains(notCopied, name) {
			continue
		}
		value := make([]byte, maxAttr)
		n, err := unix.Getxattr(path, name, value)
		if err == nil {
			_ = unix.Fsetxattr(fd, name, value[:n], 0)
		}
	}
	have := attrNames(func(to []byte) (int, error) { return unix.Flistxattr(fd, to) })
	if slices.Contains(have, accessList) && !slices.Contains(names, accessList) {
		_ = unix.Fremovexattr(fd, accessList)
	}
}

// attrNames lists extended attributes; none where there cannot be any.
func attrNames(list func([]byte) (int, error)) []string {
	names := make([]byte, maxAttr)
	n, err := list(names)
	if err != nil || n == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(names[:n]), "\x00"), "\x00")
}
