package prompts

import (
	"path"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/llm"
)

// defaultBytesPerToken is assumed of a family that is not known. It errs on
// the low side: tokenisers make three to four bytes of source code into one.
const defaultBytesPerToken = 3.0

// bytesPerToken is what the tokenisers of families make of Go source and
// values, rounded down: those with small vocabularies make more tokens.
var bytesPerToken = []struct {
	family string
	bytes  float64
}{
	{"gptoss*", 3.3}, {"gpt-*", 3.3}, // about 200,000 tokens
	{"qwen*", 3.1}, {"llama4*", 3.1}, {"deepseek*", 3.0}, // 130,000 to 200,000
	{"codellama*", 2.5}, {"llama2*", 2.5}, {"mistral*", 2.5}, {"mixtral*", 2.5}, {"phi3*", 2.5}, {"yi*", 2.5}, // 32,000 to 64,000
	{"phi*", 2.8}, {"starcoder*", 2.8}, {"gemma*", 2.8}, {"granite*", 2.8}, // 50,000 to 260,000
}

// BytesPerToken is the estimate for a model that was not measured yet.
func BytesPerToken(m llm.Info) float64 {
	for _, known := range bytesPerToken {
		if familyMatches(known.family, m) {
			return known.bytes
		}
	}
	return defaultBytesPerToken
}

// familyMatches reports whether a glob matches a model's family, or, where the
// provider names none, how the model's own name begins.
func familyMatches(glob string, m llm.Info) bool {
	if m.Family != "" {
		return matches(glob, m.Family)
	}
	name := path.Base(m.Name)
	name, _, _ = strings.Cut(name, ":")
	return matches(glob, name)
}

// Tokens estimates how many tokens a text takes, of a model of unknown family.
func Tokens(text string) int { return tokens(text, defaultBytesPerToken) }

func tokens(text string, perToken float64) int {
	n := float64(len(text)) / perToken
	if whole := int(n); float64(whole) == n {
		return whole
	}
	return int(n) + 1
}

const (
	// defaultContext is assumed of a model that does not say how much it can read.
	defaultContext = 8192
	// maxContext is the most to count on: what lies beyond it makes a local
	// model's memory grow and its answers no better.
	maxContext = 32768
	// maxBudget bounds the sections, in tokens: more raw context does not make
	// better fixes.
	maxBudget = 12_000
	// minBudget is what sections get of the smallest context.
	minBudget = 256
	// maxReserve is what an answer may take by default, in tokens.
	maxReserve = 4096
	// perMessage is what a model's own template adds to each message, at most.
	perMessage = 16
)

// readable is how many tokens of a model's context are counted on.
func readable(context int) int {
	if context <= 0 {
		return defaultContext
	}
	return min(context, maxContext)
}

// Budget returns how many tokens of a model's context the gathered sections
// may take: half of it for small contexts, at most 12,000.
func Budget(context int) int {
	return max(minBudget, min(readable(context)/2, maxBudget))
}

// Reserve is how many tokens of the model's context are kept for the answer: what
// the profile says, or else a quarter, at most 4,096. A model that thinks
// before it answers may take twice as much.
func Reserve(p Profile, m llm.Info) int {
	context := readable(m.Context)
	n := min(context/4, maxReserve)
	if p.Options.MaxTokens > 0 {
		n = min(p.Options.MaxTokens, context/2)
	} else if slices.Contains(m.Capabilities, llm.Thinking) {
		n = min(context/3, 2*maxReserve)
	}
	return n
}

// BudgetFor is what the sections may take of a model's context, so that the
// profile's own words, the answer, and one answer that is sent back with a
// complaint all fit: the server must never cut.
func BudgetFor(p Profile, m llm.Info, perToken float64) int {
	context := readable(m.Context)
	left := context - 2*Reserve(p, m) - p.overhead(perToken)
	return max(minBudget, min(left, maxBudget))
}

// complaintRoom is for the words that send an answer back, in tokens.
const complaintRoom = 300

// overhead is what the profile's own words, the headings of the sections and a
// complaint take, in tokens.
func (p Profile) overhead(perToken float64) int {
	headings := trialSections()
	for i := range headings {
		headings[i].Title, headings[i].Text = strings.Repeat("x", 40), ""
	}
	messages, err := Render(p, Context{Sections: headings})
	if err != nil {
		return 0
	}
	return MessageTokens(messages, perToken) + complaintRoom
}

// MessageTokens estimates what messages take.
func MessageTokens(messages []llm.Message, perToken float64) int {
	n := 0
	for _, m := range messages {
		n += tokens(m.Text, perToken) + perMessage
	}
	return n
}
