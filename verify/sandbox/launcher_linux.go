package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/background"
	"github.com/pausetui/pausetui/internal/reexec"
)

// launcherMain shuts the sandbox around this process and becomes the command
// that its order names. The files above those of the command are the launcher's
// own. Rights, filters and mount namespaces belong to threads: this one gives
// up its own, and no other lives on when it becomes the command.
func launcherMain(args []string) int {
	runtime.LockOSThread()
	first, err := strconv.Atoi(strings.Join(args, ""))
	if err != nil {
		return 1
	}
	orders, fate := os.NewFile(uintptr(first), "order"), os.NewFile(uintptr(first+1), "fate")
	if orders == nil || fate == nil {
		return 1
	}
	// A command that runs already must not reach what it could order here.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return 1
	}
	var o order
	if err := json.NewDecoder(orders).Decode(&o); err != nil {
		return 1 // the init is gone
	}
	if err := become(o, first, fate); err != nil {
		_, _ = fmt.Fprint(fate, err) // there is no one to report an error to
		return 1
	}
	return 0
}

// become returns only if it fails, or if nothing is to be run.
func become(o order, files int, fate *os.File) error {
	if err := confine(o); err != nil {
		return err
	}
	if err := unix.Dup3(files+2, 2, 0); err != nil { // the command's standard error
		return fmt.Errorf("prepare the standard error: %w", err)
	}
	reexec.CloseOnExec(files)
	if o.Tier != None {
		if err := filter(denials(o)); err != nil {
			return err
		}
	}
	if _, err := fate.Write([]byte{0}); err != nil || o.Try {
		return err
	}
	err := syscall.Exec(o.Path, append([]string{o.Path}, o.Args...), lastWins(o.Env))
	return fmt.Errorf("start %q: %w", o.Path, err)
}

// confine gives up what the command must not have. The order of the steps
// matters: each gives up what the next needs no more.
func confine(o order) error {
	if o.Tier == Full {
		// A copy that belongs to this user namespace: all its mounts, and their
		// flags, are locked, whatever rights a process in it may get.
		if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
			return fmt.Errorf("lock the mounts: %w", err)
		}
	}
	if err := os.Chdir(o.Dir); err != nil {
		return fmt.Errorf("enter the working directory: %w", err)
	}
	if o.Tier != None {
		if err := dropRights(o); err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	if o.Tier != None {
		if err := restrict(o); err != nil {
			return fmt.Errorf("restrict with Landlock: %w", err)
		}
	}
	background.Lower(o.Nice)
	return setLimits(o)
}
