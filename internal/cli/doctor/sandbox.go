package doctor

import (
	"context"

	"github.com/pausetui/pausetui/verify/sandbox"
)

// Sandbox says which tier holds candidates here, and why not a stronger one.
func Sandbox(context.Context) Finding {
	tier, why := sandbox.Detect()
	f := Finding{Level: OK, Found: string(tier) + ": " + tierWords[tier], Why: why}
	switch tier {
	case sandbox.Landlock:
		f.Level = Warn
		f.Hint = "user namespaces make it full (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a container that allows them)"
	case sandbox.None:
		f.Level = Warn
		f.Hint = "--allow-unsandboxed runs fixes all the same; read them first"
	}
	return f
}

// tierWords say what a tier holds back.
var tierWords = map[sandbox.Tier]string{
	sandbox.Full:     "fixes run in namespaces of their own, see only throwaway files and no network, cannot trace or mount, and are limited in memory, processes, disk and time",
	sandbox.Landlock: "fixes can use only named files and TCP servers of their own, no other network and no unix sockets, and cannot change modes, owners or times; memory, processes and time are limited; ports are shared, other processes are visible, and total disk use is not limited",
	sandbox.None:     "no fix is run: rerun, regression and tests are skipped",
}
