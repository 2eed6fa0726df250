package crash

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// maxCarried bounds the frames that are kept of a stack in a message.
const maxCarried = 60

// Carry takes the stack out of the message of a panic that was caught and raised
// again in other words: what a pool of workers says holds the stack of the first
// place. The message is its first line then. own says which frames are the user's;
// nil: that is found out later.
func Carry(p *debugger.Panic, own func(debugger.Frame) bool) {
	lines := split([]byte(p.Message))
	at := slices.IndexFunc(lines, func(l line) bool { return isGoroutine(strings.TrimSpace(l.text)) })
	if at < 0 {
		return
	}
	head := ""
	for _, l := range lines[:at] {
		if head = strings.TrimSpace(l.text); head != "" {
			break
		}
	}
	lines[at].text = strings.TrimSpace(lines[at].text)
	g, _ := parseGoroutine(lines, at)
	if len(g.Frames) == 0 {
		return
	}
	p.Message = strings.TrimPrefix(head, panicPrefix)
	if said := runtimeMessage(p.Message); said != "" {
		p.Class = debugger.Classify(said, false, false)
	} else if p.Class != debugger.CustomError {
		p.Class = debugger.Custom
	}
	p.Raised = g.Frames[:min(len(g.Frames), maxCarried)]
	for i := range p.Raised {
		p.Raised[i].User = own != nil && own(p.Raised[i])
	}
}
