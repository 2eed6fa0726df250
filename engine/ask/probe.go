package ask

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// canProbe reports whether a model can call tools.
func canProbe(m llm.Info) bool { return slices.Contains(m.Capabilities, llm.Tools) }

// leastForTools is what a model must be able to read so that the results of
// tools that are only offered have room next to the prompt, in tokens.
const leastForTools = 16384

// probes reports whether a model that is asked with a profile may look around.
func probes(p prompts.Profile, m llm.Info) bool {
	if slices.Contains(p.Offers, prompts.Scripts) {
		return true
	}
	if !canProbe(m) {
		return false
	}
	return slices.Contains(p.Requires.Capabilities, llm.Tools) ||
		slices.Contains(p.Offers, llm.Tools) && (m.Context == 0 || m.Context >= leastForTools)
}

// lookAround has a model answer that may look at the paused program before it
// does. It returns the conversation too, without the answer.
func (ma *Models) lookAround(ctx context.Context, heard *iterations, actor string, c evidence.Case, screen *prompts.Screen, messages []llm.Message, scripts bool, ask agent.Ask) (llm.Answer, []llm.Message, error) {
	tools := agent.New(screen.Guarded(c), screen)
	tools.Through(ma.Hooked.Around(heard.request, actor, screen))
	tools.Recall(PastFixes(ma.Loop, c.Stop))
	run := agent.Run
	if scripts {
		run = agent.RunScripts
	}
	result, err := run(ctx, ask, messages, tools, agent.Limits{Steps: ma.Opts.Fixes.Limits.Lookups, Script: ma.ScriptLimits()}, func(s agent.Step) {
		heard.looked(s)
		ma.probed(heard.request, actor, s)
	})
	return result.Answer, result.Messages, err
}

// maxProbe bounds a result in the journal, in bytes.
const maxProbe = 4 << 10

// probed records a step, outside Run's goroutine.
func (ma *Models) probed(request, actor string, s agent.Step) {
	p := &session.Probed{Request: request, Tool: session.Clean(short(s.Call.Name)), Arguments: probeArguments(s.Call.Arguments),
		Result: session.Clean(cutTo(s.Result, maxProbe)), Took: s.Took}
	if s.Err != nil {
		p.Err = session.Clean(s.Err.Error())
	}
	ma.Post(func() {
		ma.Append(actor, p)
		ma.SetLive(func(l *live.State) {
			if _, streams := l.Streams[request]; streams {
				delete(l.Streams, request) // what it wrote was no answer
				l.Waiting = live.Put(l.Waiting, request, ma.Opts.Now())
			}
		})
	})
}

// maxArguments bounds how many arguments of a call are recorded: one that is
// refused may hold anything.
const maxArguments = 6

func probeArguments(given map[string]any) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if len(out) == maxArguments {
			break
		}
		most := maxShort
		if name == agent.ScriptCode { // many lines, which a reader of the log wants to see
			most = maxProbe
		}
		out[session.Clean(short(name))] = session.Clean(cutTo(redacted(fmt.Sprint(given[name])), most))
	}
	return out
}

// maxShort is a line's length, in bytes.
const maxShort = 200

// short bounds a model's text to a line's length.
func short(text string) string { return cutTo(text, maxShort) }

// cutTo cuts a text to so many bytes, with a mark.
func cutTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + fmt.Sprintf(" [… %d bytes left out]", len(text)-most)
}

// redacted takes secrets out of what is recorded.
func redacted(text string) string {
	text, _ = prompts.Redact(text)
	return text
}
