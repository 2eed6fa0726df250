package ollamatest

import (
	"net/http"
	"strings"
	"time"
)

// Script says what a model does with a request: a series of steps. A script
// that ends without a Done, Status or Cut step sends the final line by itself.
type Script func(Request) []Step

// Step is one thing that the server does while it answers. The zero fields do nothing.
type Step struct {
	Wait     time.Duration // before the rest
	Status   int           // answers with this HTTP status and Error; only as the first step
	After    string        // the Retry-After of that answer; none when empty
	Text     string        // sends a piece of the answer
	Thinking string        // sends a piece of thinking
	Calls    []Call        // sends calls of tools
	Times    int           // sends Text or Thinking so often; 0 is once
	Error    string        // sends an error line, unless Status is given
	Raw      string        // sends this line as it is
	Hang     bool          // waits until the client goes or the server is closed
	Cut      bool          // closes the connection without ending the answer
	End      bool          // ends the answer properly, but without done
	Done     *Done         // sends the final line
}

// Call is a call of a tool.
type Call struct {
	ID, Name  string
	Arguments map[string]any
}

// Done is the final line of an answer.
type Done struct {
	Reason       string // "stop" when empty
	PromptTokens int    // a third of the prompt's bytes when 0; none when negative
	Tokens       int    // the number of pieces when 0
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

// Fail answers with an HTTP status and an error message.
func Fail(status int, message string) Script { return Steps(Step{Status: status, Error: message}) }

// Busy answers 503 as a server whose queue is full.
func Busy() Script {
	return Fail(http.StatusServiceUnavailable, "server busy, please try again.  maximum pending requests exceeded")
}

// Limited answers 429 and says when to come back.
func Limited(after string) Script {
	return Steps(Step{Status: http.StatusTooManyRequests, Error: "you have reached your hourly usage limit", After: after})
}

// Silent never sends anything.
func Silent() Script { return Steps(Step{Hang: true}) }

// Stall sends some text and then nothing more, with the connection open.
func Stall(text string) Script { return Steps(Step{Text: text}, Step{Hang: true}) }

// Cut sends some text and closes the connection.
func Cut(text string) Script { return Steps(Step{Text: text}, Step{Cut: true}) }

// NoDone sends some text and ends the answer as if it were complete, without
// the final line.
func NoDone(text string) Script { return Steps(Step{Text: text}, Step{End: true}) }

// LateError sends some text, then an error line.
func LateError(text, message string) Script {
	return Steps(Step{Text: text}, Step{Error: message}, Step{End: true})
}

// Empty ends at once, without any text.
func Empty() Script { return Steps() }

// Think thinks, then answers.
func Think(thinking, text string) Script {
	return Steps(Step{Thinking: thinking}, Step{Text: text})
}

// Length stops at the token limit.
func Length(thinking, text string) Script {
	return Steps(Step{Thinking: thinking}, Step{Text: text}, Step{Done: &Done{Reason: "length"}})
}

// Huge sends so many bytes in pieces of 1 KiB.
func Huge(bytes int) Script {
	return Steps(Step{Text: strings.Repeat("x", 1023) + "\n", Times: bytes / 1024})
}

// HugeLine sends so many bytes in one line.
func HugeLine(bytes int) Script { return Steps(Step{Text: strings.Repeat("x", bytes)}) }

// TooLong refuses the prompt as a real server does with truncate:false.
func TooLong() Script {
	return Fail(http.StatusBadRequest, "the input length exceeds the context length")
}
