package ui

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

// scenes are the screens that the golden views hold.
func scenes() map[string]func() *fakeEngine {
	return map[string]func() *fakeEngine{
		"building": sceneBuilding, "broken": sceneBroken, "running": sceneRunning, "drawing": sceneDrawing,
		"stopped": sceneStopped, "watched": sceneWatched, "recovered": sceneRecovered, "muted": sceneMuted, "panicked-again": scenePanickedAgain, "around": sceneAround, "why": sceneWhy, "why-asked": sceneWhyAsked, "block": sceneBlock,
		"fixes": sceneFixes, "proved": sceneProved, "compared": sceneCompared, "blocked": sceneBlocked, "file": sceneBlockedByFile, "stepped": sceneStepped,
		"exited":       func() *fakeEngine { return sceneExited(3, "") },
		"killed":       func() *fakeEngine { return sceneExited(-1, "SIGKILL") },
		"died":         sceneDied,
		"conversation": sceneConversation,
		"fixed":        func() *fakeEngine { return sceneJudged(session.Fixed) },
		"came-back":    func() *fakeEngine { return sceneJudged(session.CameBack) },
		"past":         scenePast,
		"deep":         sceneDeep,
		"silent":       sceneSilent,
		"waits":        sceneWaits,
	}
}

// playEngine lets the fake answer some intents as the engine would.
func playEngine(f *fakeEngine) {
	f.onDo = func(i intent.Intent) {
		switch i := i.(type) {
		case intent.Quit:
			f.add(&session.Ended{Outcome: "quit"})
			f.end()
		case intent.Evaluate:
			if i.Input == "funcs" {
				f.add(longAnswer(i))
				return
			}
			f.add(docsAnswer(i))
		case intent.Run:
			f.add(&session.Resumed{Motion: i.Motion})
		case intent.Halt:
			f.add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonHalt, Goroutine: 1, Frames: panicStack()[3:], Goroutines: 13}})
		case intent.ToggleBreakpoint:
			f.add(&session.BreakpointSet{Breakpoint: debugger.Breakpoint{ID: i.Line, File: i.File, Line: i.Line}})
		case intent.PreviewPrompt:
			f.mu.Lock()
			f.live.Preview = previewed()
			f.live.Version++
			f.wake()
			f.mu.Unlock()
		case intent.Reject:
			f.add(&session.Decided{Candidate: i.Candidate, Decision: session.Rejected, Reason: i.Reason})
		}
	}
}

// docsAnswer is a slice as the console writes it: all at a glance, then each element.
func docsAnswer(i intent.Evaluate) *session.Evaluated {
	docs := docsVariable()
	lines := []session.Line{{Text: "x.docs = " + docs.Value + "  " + format.Glance(docs, 80), Value: 1}}
	for _, d := range docs.Children {
		lines = append(lines, session.Line{Text: "  " + d.Name + " = " + d.Value, Value: 1})
		for _, field := range d.Children {
			lines = append(lines, session.Line{Text: fmt.Sprintf("    %s = %q", field.Name, field.Value), Value: 1})
		}
	}
	return &session.Evaluated{Input: i.Input, At: i.At, Result: docs, Lines: lines, Values: []debugger.Variable{docs}}
}

// longAnswer lists a thousand functions.
func longAnswer(i intent.Evaluate) *session.Evaluated {
	var lines []session.Line
	for n := range 1000 {
		name := fmt.Sprintf("main.function%03d", n)
		lines = append(lines, session.Line{Text: name, Run: "list " + name})
	}
	return &session.Evaluated{Input: i.Input, At: i.At, Lines: lines[:200], Left: 800, Whole: session.NewListing(lines)}
}
