package sandbox

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/internal/supervise"
	"golang.org/x/sys/unix"
)

// newOrder works out what the init has to do. The scratch directory is to be
// removed after the run.
func newOrder(s Spec, tier Tier) (order, string, error) {
	scratch, err := os.MkdirTemp("", scratch.Pattern("sandbox"))
	if err != nil {
		return order{}, "", fmt.Errorf("make the sandbox's directory: %w", err)
	}
	o := order{
		Tier: tier, Path: s.Path, Args: s.Args, Env: programEnv(s.Env), Dir: s.Dir, Terminal: s.Terminal,
		Extra: len(s.ExtraFiles), Scratch: scratch, Privileged: os.Geteuid() == 0, Limits: s.Limits, Nice: s.Nice, Ask: s.Stacks,
	}
	o.Dir, o.Path = realPath(s.Dir), realPath(s.Path)
	if s.Stdin != "" {
		o.TTY, o.Stdin = 1, realPath(s.Stdin)
	}
	o.Network, o.Files, o.Attributes = s.AllowNetwork, s.AllowFiles, s.AllowAttributes
	if s.Repro != nil {
		o.Repro, o.ReproAsked, o.ReproAny, o.Ports = s.Repro.Command, s.Repro.After != "", s.Repro.AnyPort, s.Repro.Ports
	}
	o.Readable = resolved(append(slices.Clone(s.Readable), s.Path))
	if o.InPlace = s.InPlace; s.InPlace {
		o.Throwaway = outermost(s.Throwaway)
		o.Readable = append(o.Readable, resolved([]string{s.Dir})...)
		o.Dir, o.Path = s.Dir, s.Path
	} else {
		o.Env = realTemp(o.Env)
		o.Throwaway = outermost(append(slices.Clone(s.Throwaway), s.Dir))
	}
	o.Env = append(o.Env, goCache(s, o)...)
	o.Writable, o.Watched = resolved(s.Writable), resolved(s.Watched)
	if s.AllowNetwork { // the names of other machines: often a link into /run
		o.Readable = append(o.Readable, resolved([]string{"/etc/resolv.conf"})...)
	}
	if !s.AllowFiles {
		o.Shown, o.Hidden, o.Masked = outermost(systemDirs), hiddenDirs(o), masked(o)
		o.Links = ways(slices.Concat(systemDirs, topPaths(), commonDirs(), tempDirs(s.Env), s.Readable, s.Throwaway, s.Writable, []string{s.Dir, s.Path}))
	}
	// A socket that has a path leads out of the network and out of the view of the
	// files. Here a view of the files can hide those of the machine, though not in
	// what is written to for real.
	o.Unix = o.Network && o.Files || tier == Full && !o.Files && len(o.Writable) == 0 && (!o.Network || scopes())
	return o, scratch, nil
}

// refused keeps what this sandbox can have refused: what is allowed failed by
// itself.
func (o order) refused(blocked []string) []string {
	return slices.DeleteFunc(blocked, func(entry string) bool {
		switch kind, _, _ := strings.Cut(entry, ":"); kind {
		case blockedNetwork:
			return o.Tier == None || o.Network
		case blockedSocket:
			return o.Tier == None || o.Network && o.Files
		case blockedFiles, blockedRights:
			return o.Tier == None || o.Tier == Full && o.Files
		}
		return o.Tier == None
	})
}

// programEnv keeps our own variables from the program.
func programEnv(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name == tierVariable
	})
}

// realPath follows symbolic links: one may lie where nothing is seen.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// realTemp names the directory of temporary files by its real path.
func realTemp(env []string) []string {
	for i, kv := range env {
		if name, dir, _ := strings.Cut(kv, "="); name == "TMPDIR" && filepath.IsAbs(dir) {
			env[i] = name + "=" + realPath(dir)
		}
	}
	return env
}

// goCache gives a go command that the program runs a build cache of its own, unless it is
// shown the one that the environment names.
func goCache(s Spec, o order) []string {
	given := slices.ContainsFunc(s.Env, func(kv string) bool {
		dir, named := strings.CutPrefix(kv, "GOCACHE=")
		return named && slices.Contains(s.Readable, dir)
	})
	if o.Tier == None || given || s.InPlace || s.AllowFiles {
		return nil
	}
	temp := "/tmp"
	if dirs := tempDirs(o.Env); len(dirs) > 0 {
		temp = dirs[len(dirs)-1]
	}
	if o.Tier == Landlock {
		temp = ownTemp(o)
	}
	return []string{"GOCACHE=" + filepath.Join(temp, "pausetui-go-build")}
}

// outermost resolves directories and drops those inside another, and the root,
// which no overlay can cover.
func outermost(dirs []string) []string {
	var found []string
	all := resolved(dirs)
	for _, d := range all {
		if d != "/" && !slices.ContainsFunc(all, func(o string) bool { return o != d && o != "/" && within(o, d) }) {
			found = append(found, d)
		}
	}
	return found
}

// initCommand returns the command that becomes the sandbox's init.
func initCommand(ctx context.Context, o order) *exec.Cmd {
	if o.Tier != Full {
		cmd := supervise.Helper(ctx, initName)
		cmd.Env = reexec.Env() // not ours
		return cmd
	}
	// Not through supervise: the namespace dies with its init, and the init with
	// its lifeline, which is all that a supervisor could do.
	path, err := reexec.Self()
	cmd := exec.CommandContext(ctx, path)
	cmd.Args, cmd.Err = reexec.Argv(initName), err
	cmd.Env = reexec.Env() // not ours
	cmd.Dir = "/"
	flags := uintptr(syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS)
	if !o.Network {
		flags |= syscall.CLONE_NEWNET
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  flags,
		Setsid:      true,
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE, unix.CAP_SYS_RESOURCE},
	}
	inUserNamespace(cmd.SysProcAttr, o.Privileged)
	return cmd
}

// inUserNamespace has a process start in a user namespace of its own in which
// every id keeps its number: root's has all that are known here, anybody
// else's their own alone.
func inUserNamespace(attr *syscall.SysProcAttr, privileged bool) {
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	if privileged {
		attr.UidMappings = identity("/proc/self/uid_map")
		attr.GidMappings = identity("/proc/self/gid_map")
		attr.GidMappingsEnableSetgroups = true
		return
	}
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
}

// identity maps every id this process knows to itself.
func identity(file string) []syscall.SysProcIDMap {
	text, err := os.ReadFile(file)
	var maps []syscall.SysProcIDMap
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		first, err1 := strconv.Atoi(fields[0])
		size, err2 := strconv.Atoi(fields[2])
		if err1 == nil && err2 == nil {
			maps = append(maps, syscall.SysProcIDMap{ContainerID: first, HostID: first, Size: size})
		}
	}
	if err != nil || len(maps) == 0 {
		return []syscall.SysProcIDMap{{Size: 1}}
	}
	return maps
}
