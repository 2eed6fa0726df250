package openaitest

import (
	"net/http"
	"strings"
	"time"
)

// Script says what a model does with a request: a series of steps. A script
// that ends without an Error, Cut or End step gets its finish_reason, the usage
// figures and [DONE] by itself.
type Script func(Request) []Step

// Step is one thing that the server does while it answers. The zero fields do nothing.
type Step struct {
	Wait      time.Duration     // before the rest
	Status    int               // answers with this HTTP status and Body; only as the first step
	Header    map[string]string // of that answer
	Body      string            // of that answer, as it is
	Text      string            // sends a piece of the answer
	Times     int               // sends Text or Reasoning so often; 0 is once
	Reasoning string            // sends a piece of reasoning_content
	Refusal   string            // sends a piece of a refusal
	Call      *Call             // sends a piece of a call
	Raw       string            // sends these bytes as they are
	Error     string            // sends an error event with this message
	Finish    string            // the finish_reason; "stop", or "tool_calls" after a call
	Hang      bool              // waits until the client goes or the server is closed
	Cut       bool              // closes the connection without ending the answer
	End       bool              // ends the answer properly, but without finish_reason
	NoUsage   bool              // leaves the usage figures out
}

// Call is a piece of a call of a tool.
type Call struct {
	Index               int
	ID, Name, Arguments string
}

// Answer gives the text in one piece.
func Answer(text string) Script { return Steps(Step{Text: text}) }

// Pieces gives the text word by word, with a pause before each.
func Pieces(text string, pause time.Duration) Script {
	var steps []Step
	for _, word := range strings.SplitAfter(text, " ") {
		steps = append(steps, Step{Wait: pause, Text: word})
	}
	return Steps(steps...)
}

// Steps does the same steps for every request.
func Steps(steps ...Step) Script { return func(Request) []Step { return steps } }

// Turns uses one script after the other, the last one again and again. It
// counts the earlier requests for the model.
func Turns(scripts ...Script) Script {
	return func(r Request) []Step { return scripts[min(r.Turn, len(scripts)-1)](r) }
}

// Fail answers with an HTTP status and an error in OpenAI's form.
func Fail(status int, message, kind, code string) Script {
	return Steps(Step{Status: status, Body: string(marshal(map[string]any{"error": map[string]any{"message": message, "type": kind, "code": code, "param": nil}}))})
}

// Body answers with an HTTP status and a body as it is.
func Body(status int, body string) Script { return Steps(Step{Status: status, Body: body}) }

// Busy answers 429 and says when to come back.
func Busy(after string) Script {
	return Steps(Step{Status: http.StatusTooManyRequests, Header: map[string]string{"Retry-After": after}, Body: `{"error":{"message":"rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`})
}

// Length stops at the token limit.
func Length(reasoning, text string) Script {
	return Steps(Step{Reasoning: reasoning}, Step{Text: text}, Step{Finish: "length"})
}
