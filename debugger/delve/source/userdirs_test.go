package source

import (
	"testing"
)

// TestNobodyElsesFileIsTheUsers: a server names files as it likes.
func TestNobodyElsesFileIsTheUsers(t *testing.T) {
	users := newUserDirs([]string{"/m"})
	for file, want := range map[string]bool{"/m/a.go": true, "/m/b/..a.go": true, "/m/../home/key.go": false, "/m/b/../../home/key.go": false, "/mm/a.go": false} {
		if got := users.has(file); got != want {
			t.Errorf("%q: %v", file, got)
		}
	}
}

// TestFramesOfBlocksAreNotTheUsers: package pause stands between a block and its
// caller, and is hidden as the runtime is.
func TestFramesOfBlocksAreNotTheUsers(t *testing.T) {
	for function, want := range map[string]bool{"github.com/pausetui/pausetui/pause.Run[...]": true, "runtime.gopanic": true, "main.run.func1": false, "net/http.(*conn).serve": false} {
		if got := IsRuntime(function, "/src/a.go"); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
}
