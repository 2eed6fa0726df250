package mcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addPrompts adds what a person can have their agent do, as commands of the client.
func (f *front) addPrompts() {
	prompt := func(name, about, text string, arguments ...*mcp.PromptArgument) {
		f.m.AddPrompt(&mcp.Prompt{Name: name, Description: about, Arguments: arguments},
			func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				words := text
				for _, a := range arguments {
					if given := strings.TrimSpace(r.Params.Arguments[a.Name]); given != "" {
						words += "\n\n" + a.Title + ": " + given
					}
				}
				return &mcp.GetPromptResult{Description: about, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: words}}}}, nil
			})
	}
	question := &mcp.PromptArgument{Name: "question", Title: "What I want to know", Description: "what you want to know; may be left out"}
	prompt("debug", "Find out why the program misbehaves", debugWords, question)
	prompt("explain", "Explain why the program has stopped", explainWords, question)
	prompt("fix", "Fix the crash, and have the fix proved", fixWords, &mcp.PromptArgument{Name: "hint", Title: "A hint", Description: "where to look, or what must not change; may be left out"})
}

const (
	debugWords = `Find out with pausetui's tools why the program misbehaves. Begin with context. Read values where they are wrong, and go
back to where they were made: with stack and eval in the callers, with find for the lines that write a field. Believe values,
not guesses. Say the cause in one sentence, with the place and the values that show it. Change nothing.`
	explainWords = `Explain with pausetui's tools why the program has stopped: begin with context. Say which value is bad, where it was made, and how it
came to the failing line, each with its place. Change nothing.`
	fixWords = `Fix the crash that pausetui holds. Begin with context, and find where the bad value is made: a fix belongs there, not where
it crashes. Call propose_patch with edits or a diff, and read the verdict: a fix that is not verified, or that only skips or hides the
failure, is not done. Then call ask_approval with the reason in two sentences, and wait for the decision.`
)
