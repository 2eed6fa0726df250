package engine

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/session"
)

// fewFiles is the number of files that a session with proofs may need to have open at a
// time, with room to spare.
const fewFiles = 128

// filesNotice says that too few files may be open at a time: of the many errors that follow,
// none says what to do.
func filesNotice(limit uint64) []session.Notice {
	if limit >= fewFiles {
		return nil
	}
	return []session.Notice{{Level: "warn", Text: fmt.Sprintf("too many open files are likely: the limit is %d, and proofs may need %d", limit, fewFiles), Hint: "raise it with ulimit -n"}}
}

// filesLimit is how many files this process may have open.
func filesLimit() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return fewFiles
	}
	return limit.Max
}
