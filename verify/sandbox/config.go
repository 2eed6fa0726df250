package sandbox

// order is what the init reads from its pipe, as JSON.
type order struct {
	Tier       Tier
	Try        bool // only lay everything out, run nothing: for Detect
	Path       string
	Args, Env  []string
	Dir        string
	Copied     string   // landlock tier: what Dir is a copy of
	Terminal   bool     // file 0 to 2 (or 1 and 2, with Stdin) are a terminal
	TTY        int      // which of the program's files is the terminal
	Stdin      string   // the file of the standard input; empty: none
	Extra      int      // how many further files follow the init's own
	Throwaway  []string // absolute, without symbolic links, none inside another
	Watched    []string // directories whose files are compared with what they were
	Readable   []string
	Writable   []string          // what is written to for real; once the mounts stand, all that may be written to
	InPlace    bool              // landlock tier: the working directory is not copied
	Shown      []string          // the directories of the machine that are there
	Hidden     []string          // directories that show up empty
	Masked     []string          // secrets that lie in what is shown
	Links      map[string]string // symbolic links by which what is shown may be reached
	Scratch    string            // landlock tier: a private directory for what is written
	Privileged bool              // started by root
	Limits     Limits
	Nice       int
	Ask        bool // when its time is up, the program is asked what its goroutines do
	// Repro is the repro command; ReproAsked: it waits for a byte
	// through the lifeline, not for a port; ReproAny: for any port.
	Repro      string
	ReproAsked bool
	ReproAny   bool
	Ports      []int // of this machine, to connect to
	// What the spec allows.
	Network    bool
	Files      bool
	Attributes bool
	Unix       bool // unix sockets; the init may find that it cannot keep the machine's away
	Inotify    bool // the init finds out whether its counts can be limited, and nobody else watched
}

// report is what the init answers, one JSON object a line.
type report struct {
	Error  string `json:",omitempty"` // the sandbox could not be made, or the program not started
	Begun  bool   `json:",omitempty"` // the sandbox stands, and the program starts
	Leads  bool   `json:",omitempty"` // the program, or the repro command, has begun a session of its own
	Ended  bool   `json:",omitempty"`
	Code   int    `json:",omitempty"`
	Signal string `json:",omitempty"`
	Limit  string `json:",omitempty"`
	Asked  bool   `json:",omitempty"` // its time is up, and it was asked what its goroutines do
	Unread int    `json:",omitempty"` // then how much of what was typed it had not read, in bytes
	Spent  *Spent `json:",omitempty"` // for how long it has run so far

	Changed []string `json:",omitempty"` // what it has changed of the files that are watched
	Removed []string `json:",omitempty"` // what is gone of these

	ReproBegun bool `json:",omitempty"`
	ReproEnded bool `json:",omitempty"` // with Code and Signal of the command

	// Away and Here count what was tried on the network so far; see attempts.
	Away int `json:",omitempty"`
	Here int `json:",omitempty"`
}

// The init's own files.
const (
	orderFile    = 3
	lifelineFile = 4
	reportFile   = 5
	firstExtra   = 6
)

const (
	// initName and launcherName are the helpers (see reexec) that this binary is.
	initName     = "sandbox-init"
	launcherName = "sandbox-launcher" // its argument is how many files the command gets
	// tierVariable bounds the tier for the whole process, for tests.
	tierVariable = "PAUSETUI_SANDBOX"
)
