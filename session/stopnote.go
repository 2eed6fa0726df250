package session

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// StopHead says why a target that is alive is held, in a few words:
// "breakpoint 2", "count changed 3 → 4", "stepped".
func StopHead(stop debugger.Stop) string {
	switch {
	case stop.Watched != nil:
		return watchedNote(*stop.Watched)
	case stop.Breakpoint != nil:
		return breakpointNote(*stop.Breakpoint)
	}
	if words, ok := reasonWords[stop.Reason]; ok {
		return words
	}
	return string(stop.Reason)
}

// StopNote is StopHead with all that the stop has to tell, in one line.
func StopNote(stop debugger.Stop) string {
	words := StopHead(stop)
	switch b := stop.Breakpoint; {
	case stop.Assigned():
		words = "set " + oneLine(stop.Called)
	case stop.Called != "" && stop.Fault != "":
		words = oneLine(stop.Called)
	case stop.Called != "":
		words = oneLine(stop.Called) + " returned " + orNothing(valuesLine(stop.Returned))
	case b != nil && b.OnError:
		words += ": returns an error: " + valuesLine(stop.Returned)
	case b != nil && b.OnReturn:
		words += ": returns " + orNothing(valuesLine(stop.Returned))
	case len(stop.Returned) > 0:
		words += ", returned " + valuesLine(stop.Returned)
	}
	if len(stop.Printed) > 0 {
		words += " · " + valuesLine(stop.Printed)
	}
	if stop.Step != 0 && stop.Step != stop.Goroutine {
		words += fmt.Sprintf(" · on goroutine %d, during the step of goroutine %d", stop.Goroutine, stop.Step)
	}
	if len(stop.Also) > 0 {
		words += " · also " + alsoNote(stop.Also)
	}
	if stop.Fault != "" {
		words += " · " + oneLine(stop.Fault)
	}
	return words
}

// BlockWords name a block of work and its intent, in one line.
func BlockWords(b debugger.Block) string {
	if b.Intent == "" {
		return oneLine(b.ID)
	}
	return oneLine(b.ID) + ": " + oneLine(b.Intent)
}

// reasonWords are the reasons as verbs.
var reasonWords = map[debugger.Reason]string{
	debugger.ReasonStep: "stepped", debugger.ReasonHalt: "halted", debugger.ReasonEntry: "at entry", debugger.ReasonFound: "held", debugger.ReasonCall: "called",
}

func breakpointNote(b debugger.Breakpoint) string {
	if b.Name != "" {
		return BreakpointWords(b.ID) + " " + oneLine(b.Name)
	}
	return BreakpointWords(b.ID)
}

// BreakpointWords name a breakpoint by its number; 0 is that of one which is not in
// the list, as another client's of the same server.
func BreakpointWords(id int) string {
	if id == 0 {
		return "a breakpoint that is not in the list"
	}
	return fmt.Sprintf("breakpoint %d", id)
}

func watchedNote(w debugger.Watched) string {
	expr := oneLine(w.Expr)
	switch was, now := oneLine(w.Was), oneLine(w.Now); {
	case len(w.Also) > 0:
		for _, b := range w.Also {
			expr += ", " + oneLine(b.Watch)
		}
		return expr + " are out of scope; their watchpoints are gone"
	case w.Gone && was != "":
		return fmt.Sprintf("%s is out of scope, it was %s; its watchpoint is gone", expr, was)
	case w.Gone:
		return expr + " is out of scope; its watchpoint is gone"
	case now == "" && w.Written:
		return expr + " was written; its value could not be read"
	case now == "":
		return expr + " was read or written; its value could not be read"
	case was == "":
		return fmt.Sprintf("%s is %s now", expr, now)
	case was == now && w.Written:
		return fmt.Sprintf("%s was written without a change: %s", expr, now)
	case was == now:
		return fmt.Sprintf("%s was read, or written without a change: %s", expr, now)
	default:
		return fmt.Sprintf("%s changed %s → %s", expr, was, now)
	}
}

func alsoNote(list []debugger.Hit) string {
	if len(list) > 1 {
		return fmt.Sprintf("%d other goroutines at breakpoints", len(list))
	}
	return fmt.Sprintf("goroutine %d at %s", list[0].Goroutine, BreakpointWords(list[0].Breakpoint))
}

// valuesLine writes values in one line: "n = 3, err = EOF".
func valuesLine(list []debugger.Variable) string {
	var words []string
	for _, v := range list {
		text := Short(v, 80)
		if v.Name != "" {
			text = oneLine(v.Name) + " = " + text
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

func orNothing(words string) string {
	if words == "" {
		return "nothing"
	}
	return words
}
