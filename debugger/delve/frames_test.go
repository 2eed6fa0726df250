package delve

import "testing"

// TestNobodyElsesFileIsTheUsers: a server names files as it likes.
func TestNobodyElsesFileIsTheUsers(t *testing.T) {
	users := newUserDirs([]string{"/m"})
	for file, want := range map[string]bool{"/m/a.go": true, "/m/b/..a.go": true, "/m/../home/key.go": false, "/m/b/../../home/key.go": false, "/mm/a.go": false} {
		if got := users.has(file); got != want {
			t.Errorf("%q: %v", file, got)
		}
	}
}
