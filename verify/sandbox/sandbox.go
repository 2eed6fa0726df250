// Package sandbox runs a program where it can do no harm: no network but its
// own loopback, a throwaway view of the files it may touch, limits on memory,
// processes, time and output, and an end that takes every descendant with it.
//
// There are three tiers. Full uses Linux namespaces, overlays and Landlock:
// pausetui starts a small init (this same binary) as process 1 of a new PID
// namespace, which lays out the mounts, gives up its rights, has the program
// launched in a user namespace below its own, reaps and watches. When the init
// dies the kernel kills the namespace; it dies when the read end of its
// lifeline closes, which happens however pausetui ends. Landlock needs no
// namespaces and holds less: see Tier. In both, system calls are filtered. None
// refuses to run anything unless that is allowed.
package sandbox

import (
	"errors"
	"io"
	"os"
	"time"
)

// ErrNoSandbox is returned by Run where no tier but None is available and the
// spec does not allow running without.
var ErrNoSandbox = errors.New("no sandbox on this system")

// Tier says how much a sandbox holds.
type Tier string

// The tiers, from the strongest.
const (
	// Full: namespaces, overlays, Landlock, limits.
	Full Tier = "full"
	// Landlock: files, outgoing TCP and, since Linux 6.12, signals restricted by
	// Landlock; datagrams, unix sockets and attributes of files by the filter;
	// limits, a copied working directory. Other processes are seen.
	Landlock Tier = "landlock"
	// None: limits of time and output only.
	None Tier = "none"
)

// rank orders tiers; the empty tier sets no bound.
func (t Tier) rank() int {
	switch t {
	case None:
		return 0
	case Landlock:
		return 1
	}
	return 2
}

// Keys is one burst of typed input.
type Keys struct {
	After time.Duration // since the program began
	Text  string        // raw bytes, "\x04" for ^D
	Size  Size          // of the terminal by then, once the program draws; zero: Spec.Size
}

// Spec says what to run and what it may see.
type Spec struct {
	Path  string // absolute path of the binary
	Args  []string
	Env   []string // whole environment
	Dir   string   // working directory, absolute
	Stdin string   // path of a file for standard input; empty: the terminal
	// Terminal gives the program a pseudo-terminal; without one, and without
	// Stdin, standard input is empty and output is a pipe.
	Terminal bool
	// Input is typed into the terminal; only without Stdin.
	Input []Keys
	Drawn `json:"-"`
	// ExtraFiles become the program's files 3, 4, …
	ExtraFiles []*os.File
	// Watch is written everything the program prints, as it comes, from one
	// goroutine that has ended when Run returns; it must not block. May be nil.
	Watch     io.Writer
	Callbacks `json:"-"`
	// Throwaway directories (absolute) are seen as they are, and what is
	// written to them goes nowhere. Dir is always one of them.
	Throwaway []string
	// Watched directories (absolute) are looked at before and after: Result.Changed.
	Watched []string
	// Repro runs next to the program; nil without one. Only the full tier with
	// its own network can.
	Repro *Repro
	// Stacks asks a Go program that is still running at the end of Limits.Wall
	// what its goroutines do.
	Stacks bool
	// Readable paths are there, read-only, wherever they lie, as Path and Throwaway
	// are. Of the rest of the machine only the directories of the system are.
	Readable []string
	// Writable directories are written to for real, wherever they lie. Limits.Disk
	// does not bound that, Limits.FileSize does.
	Writable []string
	// InPlace makes the working directory readable rather than throwaway: what is
	// written there fails, and no tier runs the program in a copy of it.
	InPlace bool
	Limits  Limits
	Nice    int  // the nice levels by which the program yields to others, 0 to 19
	Max     Tier // the strongest tier to use, for tests; empty: any
	// AllowNone lets the program run without a sandbox where there is none.
	AllowNone bool
	// AllowNetwork lets the program reach the real network, and other programs
	// of this machine through it.
	AllowNetwork bool
	// AllowAttributes lets the program change modes, owners and times, which the
	// landlock tier refuses for all files because it cannot for some: for
	// compilers and linkers, which set those of their own files.
	AllowAttributes bool
	// AllowFiles lets the program read and write as it could without a sandbox,
	// but for the throwaway directories.
	AllowFiles bool
}

// Callbacks follow a run; each may be nil. They are called on Linux only.
type Callbacks struct {
	// Pulse is called several times a second with how long the program has run, from
	// one goroutine; it must not block.
	Pulse func(Spent)
	// Started is called with the ID of the process that all others of the run descend from.
	Started func(pid int)
}

// Drawn is for programs that draw on their terminal.
type Drawn struct {
	// Screen makes what answers a program that asks the terminal, where it has Input or a
	// Size. Nil: nothing does. It is given, because the init of a sandbox has no time to load it.
	Screen func(cols, rows int, answer func(string)) Screen
	// Size is what the terminal gets once the program draws on it. Zero: it stays as it is.
	Size Size
}

// Screen is an emulated terminal: it is written what a program prints.
type Screen interface {
	io.Writer
	End()
	Draws() bool // whether the program draws on it
	Resize(cols, rows int)
}

// Size is that of a terminal, in cells.
type Size struct{ Cols, Rows int }

// Limits bounds a run; zero fields take DefaultLimits.
type Limits struct {
	Wall      time.Duration // of Result.Took
	CPU       time.Duration // of one process
	Memory    int64         // bytes, of one process and of all together
	Data      int64         // bytes that one process may reserve; Memory where that is more
	Processes int
	OpenFiles int   // of one process
	FileSize  int64 // bytes, of one file
	Disk      int64 // bytes, of everything written
	Output    int64 // bytes printed before the program is ended
}

// DefaultLimits returns what holds where nothing else was said. The files in
// flight between sockets are counted for each user, and a program may have as many as
// it may open, and 253 more: most programs may not send any beyond 1,024.
func DefaultLimits() Limits {
	return Limits{Wall: 10 * time.Second, CPU: 60 * time.Second, Memory: 2 << 30, Processes: 512, OpenFiles: 768,
		FileSize: 256 << 20, Disk: 512 << 20, Output: 64 << 20}
}

// withDefaults fills in what was left out.
func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	if l.Wall > 0 {
		d.Wall = l.Wall
	}
	if l.CPU > 0 {
		d.CPU = l.CPU
	}
	if l.Memory > 0 {
		d.Memory = l.Memory
	}
	d.Data = l.Data
	if l.Processes > 0 {
		d.Processes = l.Processes
	}
	if l.OpenFiles > 0 {
		d.OpenFiles = l.OpenFiles
	}
	if l.FileSize > 0 {
		d.FileSize = l.FileSize
	}
	if l.Disk > 0 {
		d.Disk = l.Disk
	}
	if l.Output > 0 {
		d.Output = l.Output
	}
	return d
}

// What a run can need that a spec allows: AllowNetwork, AllowFiles, or one more
// path in Readable.
const (
	NeedNetwork = "network"
	NeedFiles   = "files"
	NeedFile    = "file:" // with the path after it
)

// The limits a run can end by, as Result.Limit names them.
const (
	LimitTime      = "time"
	LimitMemory    = "memory"
	LimitProcesses = "processes"
	LimitOutput    = "output"
	// LimitRepro: the repro command had ended, and it was still running
	// after its grace.
	LimitRepro = "repro"
)

// Result tells how a run ended.
type Result struct {
	Tier     Tier
	ExitCode int    // -1 when it was ended by a signal or by a limit
	Signal   string // "SIGKILL"; empty when it exited
	Limit    string // the limit that ended it; empty when it ended by itself
	Output   []byte // what it printed; the middle is cut out of very long output
	Dropped  int64  // bytes cut out of the middle
	// Stacks is what a program that was still running said of its goroutines, as
	// the runtime prints them; empty where it was not asked, or handles SIGQUIT.
	Stacks []byte
	// ReadAll tells that it was still running, and had read all of Spec.Input.
	ReadAll bool
	// Changed are the files of Spec.Watched that the program has written to, replaced or
	// removed. What it adds to them is not among them.
	Changed []string
	Removed []string // those of Changed that are gone
	// Blocked names what the program seems to have been refused by the sandbox,
	// as far as its output tells.
	Blocked []string
	// Needs is what the spec would have to allow so that nothing is refused:
	// NeedNetwork, NeedFiles, NeedFile with a path.
	Needs []string
	// Took is for how long it ran, as Spent.Ran; by the clock where that is not known.
	Took  time.Duration
	Repro *ReproResult // nil without one
}

// Alive reports whether the program was still running when its time was up.
func (r Result) Alive() bool { return r.Limit == LimitTime || r.Limit == LimitRepro }
