package sandbox

import (
	"os"
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
