package bundle

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/advice"
)

// spare is what is left free on a disk that is written to, in bytes.
const spare = 64 << 20

// Room fails where the file system of a directory has no room for so many bytes.
// A file system that does not say has room.
func Room(dir string, bytes int64) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil || fs.Bsize <= 0 {
		return nil //nolint:nilerr // writing says what is wrong
	}
	free := int64(fs.Bavail) * int64(fs.Bsize) //nolint:unconvert // their types differ between systems
	if free < bytes+spare {
		return advice.Add(fmt.Errorf("%q has %d MB free, and %d MB are needed", dir, free>>20, (bytes+spare)>>20), "make room there")
	}
	return nil
}
