package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Neither root nor anybody else reads the machine's own secrets.
func TestTheSecretsOfTheMachineAreHidden(t *testing.T) {
	var files []string
	for _, p := range hiddenSystem(nil) {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			files = append(files, p)
		}
	}
	if f, err := os.Open("/etc/shadow"); err != nil {
		t.Logf("not readable for this user outside either: %v", err)
	} else {
		_ = f.Close()
	}
	if len(files) == 0 {
		t.Skip("there are none on this machine")
	}
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "sizes", append(slices.Clone(files), "/etc/passwd")...)
		out := string(mustRun(t, s).Output)
		for _, f := range files {
			if !strings.Contains(out, f+" 0\n") {
				t.Errorf("%s can be read:\n%s", f, out)
			}
		}
		if strings.Contains(out, "/etc/passwd 0\n") {
			t.Errorf("/etc/passwd cannot be read:\n%s", out)
		}
	})
}

func TestBesideLeavesSecretsOut(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"plain", "keys/secret", "keys/public", "other/deep/file"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, f)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, f), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "keys"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(beside(dir, []string{filepath.Join(dir, "keys/secret")}))
	want := fmt.Sprint([]string{filepath.Join(dir, "keys/public"), filepath.Join(dir, "other"), filepath.Join(dir, "plain")})
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
