package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// Tracing says whether a process of ours can be debugged, by debugging one.
func Tracing(context.Context) Finding {
	if err := traceChild(); err != nil {
		return Finding{Level: Bad, Found: "a child process cannot be traced: " + err.Error(), Why: scope(),
			Hint: "in a container: --cap-add=SYS_PTRACE --security-opt seccomp=unconfined; elsewhere sysctl kernel.yama.ptrace_scope=1"}
	}
	f := Finding{Level: OK, Found: "ptrace works"}
	if why := scope(); len(why) > 0 {
		f.Why = why
	}
	return f
}

// scope is what Yama says of tracing processes that are not children.
func scope() []string {
	data, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	if err != nil || strings.TrimSpace(string(data)) == "0" {
		return nil
	}
	return []string{"kernel.yama.ptrace_scope is " + strings.TrimSpace(string(data)) + ": only children can be traced, attach needs more rights"}
}

// traceChild starts a process that stops for its tracer before its first
// instruction, and ends it.
func traceChild() error {
	path, err := exec.LookPath("true")
	if err != nil {
		return nil //nolint:nilerr // nothing to try it with
	}
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the tracer is a thread; it ends with this goroutine
		result <- traced(path)
	}()
	return <-result
}

func traced(path string) error {
	process, err := os.StartProcess(path, []string{path}, &os.ProcAttr{Sys: &syscall.SysProcAttr{Ptrace: true, Pdeathsig: syscall.SIGKILL}})
	if err != nil {
		return err
	}
	var status syscall.WaitStatus
	_, err = syscall.Wait4(process.Pid, &status, 0, nil)
	if err == nil && !status.Stopped() {
		return fmt.Errorf("it did not stop for its tracer")
	}
	_ = process.Kill()
	_, _ = process.Wait()
	return err
}
