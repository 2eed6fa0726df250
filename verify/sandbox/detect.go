package sandbox

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/scratch"
)

// The own work of both is a fraction of what initializing all packages takes, so this
// package imports nothing that is initialized late (TestHelpersBeginEarly).
func init() {
	reexec.RegisterEarly(initName, initMain)
	reexec.RegisterEarly(launcherName, launcherMain)
}

// detected is what this system can do; it does not change while we run.
var detected = sync.OnceValue(func() (d struct {
	tier    Tier
	reasons []string
}) {
	d.tier = None
	for _, tier := range []Tier{Full, Landlock} {
		err := try(tier)
		if err == nil {
			d.tier = tier
			return d
		}
		d.reasons = append(d.reasons, string(tier)+": "+err.Error())
	}
	return d
})

// Detect returns the strongest tier this system has, by trying it, and why it
// is not a stronger one. The variable PAUSETUI_SANDBOX bounds it.
func Detect() (Tier, []string) {
	limit := Tier(os.Getenv(tierVariable))
	if limit == None {
		return None, []string{tierVariable + " forbids it"}
	}
	d := detected()
	if limit == Landlock && d.tier == Full {
		if err := try(Landlock); err != nil {
			return None, []string{"landlock: " + err.Error()}
		}
		return Landlock, []string{tierVariable + " forbids the full tier"}
	}
	return d.tier, d.reasons
}

// try lays a sandbox out and runs nothing in it.
func try(tier Tier) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	dir, err := os.MkdirTemp("", scratch.Pattern("try"))
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return attempt(ctx, tier, dir)
}

// choose returns the tier to run in.
func choose(s Spec) (Tier, []string) {
	tier, reasons := Detect()
	if s.Max != "" && s.Max.rank() < tier.rank() {
		return s.Max, []string{"no stronger tier than " + string(s.Max) + " was asked for"}
	}
	return tier, reasons
}
