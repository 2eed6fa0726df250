package keymap

import "github.com/pausetui/pausetui/session"

// The actions.
const (
	Continue   Action = "continue"
	Next       Action = "next"
	StepIn     Action = "step"
	StepOut    Action = "stepout"
	Interrupt  Action = "interrupt"
	Breakpoint Action = "breakpoint"
	RunTo      Action = "run-to"
	StepCall   Action = "step-call"
	Breaks     Action = "breakpoints"
	BreakError Action = "breakpoint-error"
	Trace      Action = "tracepoint"
	JumpTo     Action = "jump"
	StepInstr  Action = "step-instruction"
	NextInstr  Action = "next-instruction"
	Rewind     Action = "rewind"
	RevNext    Action = "reverse-next"
	RevStep    Action = "reverse-step"
	RevOut     Action = "reverse-stepout"
	Checkpoint Action = "checkpoint"
	Restart    Action = "restart"
	Again      Action = "restart-same"
	Type       Action = "type"
	Release    Action = "release"

	Ask        Action = "ask"
	AskProfile Action = "ask-profile"
	Cancel     Action = "cancel"
	Question   Action = "question"
	Previous   Action = "previous-candidate"
	Following  Action = "next-candidate"
	Best       Action = "best-candidate"
	Approve    Action = "approve"
	Edit       Action = "edit"
	Reject     Action = "reject"
	Hunk       Action = "hunk"
	HunkPrev   Action = "previous-hunk"
	HunkNext   Action = "next-hunk"
	Split      Action = "split"
	Prompt     Action = "prompt"
	Undo       Action = "undo"
	Allow      Action = "allow"
	Mute       Action = "mute"
	Mutes      Action = "mutes"

	View     Action = "view"
	Copy     Action = "copy"
	CopyPath Action = "copy-path"
	SetValue Action = "set-value"
	Watch    Action = "watch"

	WatchExpr Action = "watch-expression"
	EditLine  Action = "edit-line"

	Holder  Action = "waited-for"
	ToStop  Action = "to-stop"
	Earlier Action = "earlier-stop"
	Later   Action = "later-stop"
	Stops   Action = "stops"

	Wheel   Action = "wheel"
	Command Action = "command"
	Filter  Action = "filter"
	Palette Action = "palette"
	Help    Action = "help"
	Quit    Action = "quit"

	Up       Action = "up"
	Down     Action = "down"
	PageUp   Action = "page-up"
	PageDown Action = "page-down"
	Top      Action = "top"
	Bottom   Action = "bottom"
	Left     Action = "left"
	Right    Action = "right"
	Open     Action = "open"
	Back     Action = "back"
	PaneNext Action = "pane-next"
	PanePrev Action = "pane-previous"
	Pane1    Action = "pane-1"
	Pane2    Action = "pane-2"
	Pane3    Action = "pane-3"
	Pane4    Action = "pane-4"
	Pane5    Action = "pane-5"
	Pane6    Action = "pane-6"
	Pane7    Action = "pane-7"

	Find          Action = "find"
	Define        Action = "definition"
	Callers       Action = "callers"
	Disassembly   Action = "disassembly"
	NextMatch     Action = "next-match"
	PreviousMatch Action = "previous-match"

	Zoom        Action = "zoom"
	Larger      Action = "larger"
	Smaller     Action = "smaller"
	PaneLeft    Action = "pane-left"
	PaneRight   Action = "pane-right"
	PaneBelow   Action = "pane-below"
	PaneHide    Action = "pane-hide"
	ResetLayout Action = "reset-layout"
	Themes      Action = "theme"

	Sessions      Action = "sessions"
	Snapshot      Action = "snapshot"
	SessionStats  Action = "session-statistics"
	SessionDelete Action = "session-delete"
	SessionScope  Action = "session-scope"
	SessionHelp   Action = "session-help"
)

// The groups of the help overlay.
const (
	groupRun  = "Run"
	groupFix  = "Fixes"
	groupCode = "Source"
	groupMove = "Move"
	groupLook = "Look"
	groupTalk = "Ask and leave"
	groupPast = "Past sessions"
)

// rows is the table of keys: docs/reference/keys.md is made from it.
var rows = []Binding{
	{Continue, []string{"c"}, "continue", "continue", groupRun, needRun},
	{Next, []string{"n"}, "next line", "next", groupRun, needRun},
	{StepIn, []string{"s"}, "step in", "step", groupRun, needRun},
	{StepOut, []string{"o"}, "step out", "step out", groupRun, needRun},
	{Interrupt, []string{"ctrl+c"}, "halt; when stopped, ask to quit", "halt", groupRun, always},
	{Breakpoint, []string{"b"}, "breakpoint on the cursor's line", "breakpoint", groupRun, whyBreakpoint},
	{RunTo, []string{"R"}, "run to the cursor's line", "run to here", groupRun, whyRunTo},
	{StepCall, []string{"S"}, "step into a chosen call of the line", "step into…", groupRun, needRun},
	{Breaks, []string{"B"}, "breakpoints: list, change, add", "breakpoints", groupRun, whyBreaks},
	{BreakError, nil, "breakpoint where the cursor's function returns an error", "at errors", groupRun, whyBreakpoint},
	{Trace, nil, "tracepoint on the cursor's line: prints and goes on", "tracepoint", groupRun, whyBreakpoint},
	{StepInstr, nil, "step one instruction of the processor", "instruction", groupRun, needRun},
	{NextInstr, nil, "next instruction, over calls", "next instruction", groupRun, needRun},
	{JumpTo, nil, "jump: make the cursor's line the next statement", "jump", groupRun, whyJump},
	{Rewind, nil, "backwards: to a breakpoint or the beginning", "rewind", groupRun, needReverse},
	{RevNext, nil, "backwards: to the line before", "back", groupRun, needReverse},
	{RevStep, nil, "backwards: to the line before, into calls", "back in", groupRun, needReverse},
	{RevOut, nil, "backwards: to the call of this function", "back out", groupRun, needReverse},
	{Checkpoint, nil, "remember this moment of the recording", "checkpoint", groupRun, needReverse},
	{Again, nil, "restart without building", "restart as it is", groupRun, whyRestart},
	{Restart, []string{"r"}, "restart (builds what changed)", "restart", groupRun, whyRestart},
	{Type, []string{"i"}, "type into the target (esc leaves)", "type into it", groupRun, whyType},
	{Release, []string{"ctrl+]"}, "leave a target that draws a screen", "leave it", groupRun, whyRelease},

	{Ask, []string{"f"}, "ask for fixes", "ask for fixes", groupFix, needCrash},
	{AskProfile, []string{"F"}, "choose the profile, then ask", "choose profile", groupFix, whyProfiles},
	{Cancel, nil, "stop asking the models", "stop asking", groupFix, whyCancel},
	{Previous, []string{"["}, "previous fix", "previous", groupFix, needCandidates},
	{Following, []string{"]"}, "next fix", "next", groupFix, needCandidates},
	{Best, []string{"*"}, "best fix", "best", groupFix, needCandidates},
	{Approve, []string{"a"}, "approve (asks; only y confirms)", "approve", groupFix, needUndecided},
	{Edit, []string{"e"}, "edit the fix in $EDITOR", "edit", groupFix, whyEdit},
	{Reject, []string{"x"}, "reject, with a reason for the model", "reject", groupFix, needUndecided},
	{Hunk, []string{"space"}, "take or leave the hunk; unfold", "hunk", groupFix, always},
	{HunkPrev, []string{"{"}, "previous hunk, or changed lines of the source", "previous hunk", groupFix, whyHunk},
	{HunkNext, []string{"}"}, "next hunk, or changed lines of the source", "next hunk", groupFix, whyHunk},
	{Split, []string{"t"}, "split or unified diff", "split", groupFix, needReview},
	{Prompt, []string{"P"}, "see and edit the exact prompt", "prompt", groupFix, whyPrompt},
	{Mute, []string{"m"}, "do not stop here any more (asks)", "mute", groupFix, whyMute},
	{Mutes, nil, "list the muted places, and unmute them", "muted", groupFix, whyMutes},
	{Allow, []string{"w"}, "allow what the sandbox blocked, this session", "allow access", groupFix, whyAllow},
	{Undo, []string{"u"}, "undo the last applied change (asks)", "undo", groupFix, whyUndo},

	{View, []string{"v"}, "show it differently: number base, grouping", "other view", groupLook, always},
	{Copy, []string{"y"}, "copy the value, whole", "copy", groupLook, whyValue},
	{CopyPath, []string{"Y"}, "copy its path, or file and line", "copy path", groupLook, always},
	{SetValue, []string{"E"}, "set the value: opens the command line", "set", groupLook, whySet},
	{Watch, []string{"W"}, "stop where the value is written", "watch", groupLook, whyWatch},
	{WatchExpr, []string{"p"}, "watch or unwatch an expression", "watch an expression", groupLook, needHeld},
	{ToStop, []string{"0"}, "back to the goroutine and frame that stopped", "to the stop", groupLook, whyToStop},
	{Holder, []string{"J"}, "go to the goroutine that is waited for", "who has it", groupLook, whyHolder},
	{Earlier, []string{"<"}, "the stop before, as it was", "earlier", groupLook, whyEarlier},
	{Later, []string{">"}, "the stop after, up to the present", "later", groupLook, whyLater},
	{Stops, nil, "list the stops of this session", "stops", groupLook, whyStops},
	{Find, []string{"ctrl+o"}, "find a file or a symbol", "find", groupCode, whyFind},
	{Define, []string{"d"}, "definition of the name under the cursor", "definition", groupCode, whyName},
	{Callers, []string{"C"}, "callers of the function under the cursor", "callers", groupCode, whyName},
	{EditLine, []string{"O"}, "open the cursor's line in $EDITOR", "edit the line", groupCode, whyEditLine},
	{Disassembly, []string{"D"}, "disassembly next to the source", "disassembly", groupCode, whyDisassembly},
	{NextMatch, []string{"."}, "next match of the search", "next match", groupCode, whyMatch},
	{PreviousMatch, []string{","}, "previous match of the search", "previous match", groupCode, whyMatch},

	{PaneNext, []string{"tab"}, "next pane", "pane", groupMove, always},
	{PanePrev, []string{"shift+tab"}, "previous pane", "", groupMove, always},
	{Pane1, []string{"1"}, "source", "source", groupMove, always},
	{Pane2, []string{"2"}, "stack", "stack", groupMove, always},
	{Pane3, []string{"3"}, "locals", "locals", groupMove, always},
	{Pane4, []string{"4"}, "goroutines", "goroutines", groupMove, always},
	{Pane5, []string{"5"}, "output", "output", groupMove, always},
	{Pane6, []string{"6"}, "fixes", "fixes", groupMove, always},
	{Pane7, []string{"7"}, "log", "log", groupMove, always},
	{Zoom, []string{"z"}, "this pane alone, and back", "zoom", groupMove, whyZoom},
	{Larger, []string{"+", "="}, "make this pane larger", "larger", groupMove, whyResize},
	{Smaller, []string{"-", "_"}, "make this pane smaller", "smaller", groupMove, whyResize},
	{PaneLeft, nil, "layout: this pane to the left", "to the left", groupMove, whyMovePane},
	{PaneRight, nil, "layout: this pane to the right", "to the right", groupMove, whyMovePane},
	{PaneBelow, nil, "layout: this pane below the source", "below", groupMove, whyMovePane},
	{PaneHide, nil, "layout: hide this pane until its key is pressed", "hide", groupMove, whyMovePane},
	{ResetLayout, nil, "layout: back to the default", "reset layout", groupMove, whyReset},
	{Up, []string{"k", "up"}, "up", "", groupMove, always},
	{Down, []string{"j", "down"}, "down", "", groupMove, always},
	{PageUp, []string{"pgup", "ctrl+b"}, "a page up", "", groupMove, always},
	{PageDown, []string{"pgdown", "ctrl+f"}, "a page down", "", groupMove, always},
	{Top, []string{"g", "home"}, "to the top", "", groupMove, always},
	{Bottom, []string{"G", "end"}, "to the end", "", groupMove, always},
	{Left, []string{"h", "left"}, "fold, or move left", "", groupMove, always},
	{Right, []string{"l", "right"}, "unfold, or move right", "", groupMove, always},
	{Open, []string{"enter"}, "open what the cursor is on", "open", groupMove, always},
	{Back, []string{"esc"}, "go back", "back", groupMove, always},

	{Question, []string{"A"}, "ask about this stop", "ask", groupTalk, whyQuestion},
	{Command, []string{":"}, "command line: expressions, commands", "command", groupTalk, always},
	{Filter, []string{"/"}, "filter in the pane", "filter", groupTalk, whyFilter},
	{Palette, []string{"ctrl+p"}, "command palette", "palette", groupTalk, always},
	{Wheel, []string{"@"}, "the wheel of a shared session: ask for it, give it, take it back", "wheel", groupTalk, always},
	{Themes, []string{"T"}, "theme: choose the colors", "theme", groupTalk, always},
	{Help, []string{"?"}, "help", "help", groupTalk, always},
	{Quit, []string{"q"}, "quit (asks while the target lives)", "quit", groupTalk, always},

	{Sessions, []string{"H"}, "past sessions: search and read them", "past sessions", groupPast, always},
	{Snapshot, []string{"K"}, "keep a snapshot: memory, binary, session", "snapshot", groupPast, whySnapshot},
	{SessionStats, []string{"ctrl+t"}, "statistics of the sessions found", "statistics", groupPast, whyBrowser},
	{SessionScope, []string{"ctrl+r"}, "only sessions of the same fault; again: function, class, all", "same fault", groupPast, whyBrowser},
	{SessionDelete, []string{"delete", "ctrl+d"}, "delete the session's files (asks)", "delete", groupPast, whyBrowser},
	{SessionHelp, []string{"ctrl+g"}, "how to search", "help", groupPast, whyBrowser},
}

// whyBrowser disables, in the debugger, what belongs to the browser of sessions.
func whyBrowser(Facts) string { return "in pausetui sessions" }

// whySnapshot: a core dump and a trace cannot run, and are kept already.
func whySnapshot(f Facts) string {
	if f.Alive() && !f.Can.Run {
		return f.Can.Cannot("be dumped")
	}
	return needHeld(f)
}

func whyValue(f Facts) string {
	if !f.Value {
		return "put the cursor on a value first (pane 3)"
	}
	return ""
}

func whyHolder(f Facts) string {
	if why := needHeld(f); why != "" || f.Waits {
		return why
	}
	return "this goroutine waits for nothing: choose one that does (pane 4)"
}

func whyToStop(f Facts) string {
	if why := needHeld(f); why != "" || f.Elsewhere {
		return why
	}
	return "this is where it stopped"
}

func whySet(f Facts) string {
	if f.Alive() && !f.Can.Write {
		return f.Can.Cannot("be written to")
	}
	if why := needHeld(f); why != "" {
		return why
	}
	return whyValue(f)
}

func whyWatch(f Facts) string {
	if why := needRun(f); why != "" {
		return why
	}
	return whyValue(f)
}

func whyType(f Facts) string {
	if !f.Can.Input && f.Alive() {
		return f.Can.Cannot("be typed into: its input is not ours")
	}
	if f.Stdin != "" {
		return "the target reads its input from " + f.Stdin
	}
	return needRunning(f)
}

func whyRelease(f Facts) string {
	if !f.Typing {
		return "nothing is typed into the target"
	}
	return ""
}

func whyFind(f Facts) string {
	if !f.Panes {
		return "there are no panes yet"
	}
	return ""
}

func whyMatch(f Facts) string {
	switch {
	case f.Pane != 1:
		return "for the source pane (1)"
	case !f.Searching:
		return "nothing is searched for: / searches"
	}
	return ""
}

func whyName(f Facts) string {
	switch {
	case f.Pane != 1:
		return "put the cursor on a name of the source first (pane 1)"
	case !f.Line:
		return "there is no source here yet"
	}
	return ""
}

func whyEditLine(f Facts) string {
	if !f.Line {
		return "there is no line of source here yet"
	}
	return ""
}

func whyDisassembly(f Facts) string {
	if f.Pane != 1 {
		return "for the source pane (1)"
	}
	return needHeld(f)
}

func whyHunk(f Facts) string {
	if f.Pane == 1 && f.Changes {
		return ""
	}
	return needReview(f)
}

func whyBreakpoint(f Facts) string {
	if !f.Can.Run && f.Alive() {
		return f.Can.Cannot("run to a breakpoint")
	}
	if !f.Line {
		return "put the cursor on a line of source first (pane 1)"
	}
	return ""
}

func whyRunTo(f Facts) string {
	if why := needRun(f); why != "" {
		return why
	}
	return whyBreakpoint(f)
}

func whyJump(f Facts) string {
	if f.Held() && !f.Can.Write {
		return f.Can.Cannot("be changed")
	}
	return whyRunTo(f)
}

func whyBreaks(f Facts) string {
	if !f.Can.Run && f.Alive() {
		return f.Can.Cannot("stop at breakpoints")
	}
	return ""
}

func needReverse(f Facts) string {
	if why := needRun(f); why != "" {
		return why
	}
	if !f.Can.Reverse {
		return "only a recorded program runs backwards: --record, with rr installed"
	}
	return ""
}

func whyRestart(f Facts) string {
	if f.Review {
		return needRun(f)
	}
	if f.Phase == session.PhaseNew || f.Phase == session.PhaseBuilding {
		return "a build is under way"
	}
	if !f.Can.Restart {
		return f.Can.Cannot("be started again")
	}
	return ""
}

func whyProfiles(f Facts) string {
	if f.Profiles == 0 {
		return "no profile is configured"
	}
	return needCrash(f)
}

func whyCancel(f Facts) string {
	if !f.Asking {
		return "no model is being asked"
	}
	return ""
}

func needCandidates(f Facts) string {
	if f.Candidates == 0 {
		return needCandidate(f)
	}
	return ""
}

func whyEdit(f Facts) string {
	if f.Diagnostic {
		return ""
	}
	return needCandidate(f)
}

func whyPrompt(f Facts) string {
	if !f.Prompt {
		return "there is no model to ask about a crash"
	}
	return ""
}

func whyMute(f Facts) string {
	if !f.LivesOn {
		return "only a panic that the program lives on after, or a failing test, can be muted"
	}
	return needHeld(f)
}

func whyMutes(f Facts) string {
	if f.Muted == 0 {
		return "no place is muted"
	}
	return ""
}

func whyAllow(f Facts) string {
	if !f.Blocked {
		return "the sandbox has blocked nothing that a proof needs"
	}
	return ""
}

func whyUndo(f Facts) string {
	if !f.Undoable {
		return "no change has been applied"
	}
	return ""
}

func whyFilter(f Facts) string {
	if !f.Filter {
		return "this pane has nothing to filter"
	}
	return ""
}

func whyQuestion(f Facts) string {
	if f.Talked {
		return "" // what was said can still be read
	}
	return needHeld(f)
}

func whyEarlier(f Facts) string {
	if !f.Earlier {
		return "there is no earlier stop"
	}
	return ""
}

func whyLater(f Facts) string {
	if !f.Past {
		return "this is the present"
	}
	return ""
}

func whyStops(f Facts) string {
	if f.Stops == 0 {
		return "it has not stopped yet"
	}
	return ""
}
