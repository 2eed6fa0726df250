package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	interp "github.com/pausetui/pausetui/engine/script"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
)

// Limits bound an investigation; zero is the default of each.
type Limits struct {
	Steps  int           // lookups, and failed calls besides; prompts.Lookups
	Time   time.Duration // after which the model must answer; 2 minutes
	Step   time.Duration // for one call; 5 seconds
	Output int           // bytes of all results together; 24 KiB
	Script interp.Limits // of each script
}

func (l Limits) withDefaults() Limits {
	if l.Steps <= 0 {
		l.Steps = prompts.Lookups
	}
	if l.Time <= 0 {
		l.Time = 2 * time.Minute
	}
	if l.Step <= 0 {
		l.Step = 5 * time.Second
	}
	if l.Output <= 0 {
		l.Output = 24 << 10
	}
	return l
}

// Step is one call of a tool and what it gave.
type Step struct {
	Call   llm.Call
	Result string // as the model got it; empty with Err
	Err    error
	Took   time.Duration
}

// ErrNoAnswer is returned when a model goes on asking for tools after it was
// asked to answer.
var ErrNoAnswer = errors.New("the model went on asking for tools instead of answering")

// Ask has a model answer. No tools are offered when it is to answer now.
type Ask func(ctx context.Context, messages []llm.Message, tools []llm.Tool) (llm.Answer, error)

// Result is how an investigation ended.
type Result struct {
	Answer   llm.Answer    // the last one; its figures are those of all answers together
	Messages []llm.Message // the whole conversation, without the last answer
	Steps    int           // calls carried out, also those that failed
}

// maxCalls bounds the calls of one answer that are kept; the rest is dropped.
const maxCalls = 16

// answerNow ends the looking around.
const answerNow = "You have used up what you may look at. Answer now, in the form you were asked for, from what you know."

// investigation is one Run under way.
type investigation struct {
	tools  *Tools
	limits Limits
	onStep func(Step)
	out    Result
	output int             // bytes of results so far
	failed int             // calls that gave nothing
	asked  map[string]bool // calls, to tell repetitions
	until  time.Time
}

// Run asks, carries out the tools that the model asks for, and asks again,
// until it answers in words or the limits are reached; then it has to
// answer. onStep hears of each step when it has ended. Whatever the target does
// meanwhile, the model only ever gets a text; Run ends with ctx.
func Run(ctx context.Context, ask Ask, messages []llm.Message, tools *Tools, limits Limits, onStep func(Step)) (Result, error) {
	i := &investigation{tools: tools, limits: limits.withDefaults(), onStep: onStep, asked: map[string]bool{}}
	i.out.Messages = append(i.out.Messages, messages...)
	i.until = time.Now().Add(i.limits.Time)
	for !i.usedUp() {
		answer, err := ask(ctx, i.out.Messages, List())
		i.count(answer)
		if err != nil || len(answer.Calls) == 0 {
			return i.out, err
		}
		i.carryOut(ctx, answer)
		if err := ctx.Err(); err != nil {
			return i.out, err
		}
	}
	i.out.Messages = append(i.out.Messages, llm.Message{Role: "user", Text: answerNow})
	answer, err := ask(ctx, i.out.Messages, nil)
	i.count(answer)
	if err == nil && answer.Text == "" {
		err = ErrNoAnswer
	}
	return i.out, err
}

// count keeps an answer with the figures of all.
func (i *investigation) count(a llm.Answer) {
	sum := i.out.Answer
	a.PromptTokens += sum.PromptTokens
	a.Tokens += sum.Tokens
	a.Took += sum.Took
	a.Cost += sum.Cost
	if sum.FirstToken > 0 {
		a.FirstToken = sum.FirstToken
	}
	i.out.Answer = a
}

func (i *investigation) usedUp() bool {
	return i.left() == 0 || i.failed >= i.limits.Steps || i.output >= i.limits.Output || !time.Now().Before(i.until)
}

// left is how many lookups there are yet: calls that fail do not count.
func (i *investigation) left() int { return max(i.limits.Steps-i.out.Steps+i.failed, 0) }

// carryOut runs the calls of an answer, in order, as far as the limits allow;
// each gets a reply, as models expect.
func (i *investigation) carryOut(ctx context.Context, answer llm.Answer) {
	calls := answer.Calls[:min(len(answer.Calls), maxCalls)]
	i.out.Messages = append(i.out.Messages, llm.Message{Role: "assistant", Text: answer.Text, Calls: calls})
	for _, c := range calls {
		text := "Not done: " + answerNow
		if !i.usedUp() {
			text = i.step(ctx, c)
		}
		i.out.Messages = append(i.out.Messages, llm.Message{Role: "tool", Text: text, CallID: c.ID, Tool: c.Name})
	}
}

// step runs one call and returns its result for the model.
func (i *investigation) step(ctx context.Context, c llm.Call) string {
	i.out.Steps++
	s := Step{Call: c}
	began := time.Now()
	key := keyOf(c)
	if i.asked[key] {
		s.Err = errors.New("that was asked before; its result is above")
	} else {
		stepCtx, cancel := context.WithTimeout(ctx, i.limits.Step)
		s.Result, s.Err = i.tools.Call(stepCtx, c)
		cancel()
	}
	i.asked[key] = true
	s.Took = time.Since(began)
	i.output += len(s.Result)
	if i.onStep != nil {
		i.onStep(s)
	}
	if s.Err != nil {
		i.failed++
		return fmt.Sprintf("Error: %v\nThat did not count; %s.", s.Err, lookups(i.left()))
	}
	return s.Result + "\n" + lookups(i.left()) + "."
}

func lookups(n int) string {
	if n == 1 {
		return "1 lookup is left"
	}
	return fmt.Sprintf("%d lookups are left", n)
}

func keyOf(c llm.Call) string {
	text, err := json.Marshal(c.Arguments)
	if err != nil {
		text = fmt.Append(nil, c.Arguments)
	}
	return c.Name + string(text)
}
