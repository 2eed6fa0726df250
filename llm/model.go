// Package llm defines models and their providers. Each provider is a package below it:
// ollama, openai, replay.
//
// Providers are wrapped: package retry asks again if a request was refused or the
// connection lost before any text arrived, prices count the cost, and a recorder writes
// answers for package replay. Wrappers return what they wrap (Unwrap), and Find looks
// through them. All providers keep the same promises: an answer is complete or an error,
// whatever a server sends is bounded before it is kept, thinking never becomes text,
// nothing stays open between requests, and a model on another host is remote.
//
// The package must not know any provider, prompts, or the debugger.
package llm

import (
	"context"
	"errors"
	"time"
)

// Info describes a model.
type Info struct {
	Provider     string   `json:"provider"` // "ollama"
	Name         string   `json:"name"`     // "qwen3-coder:30b"
	Family       string   `json:"family,omitempty"`
	Parameters   string   `json:"parameters,omitempty"` // "30.5B"
	Quantisation string   `json:"quantisation,omitempty"`
	Context      int      `json:"context,omitempty"` // tokens; 0 when unknown
	Size         int64    `json:"size,omitempty"`    // bytes
	Digest       string   `json:"digest,omitempty"`
	Capabilities []string `json:"capabilities,omitempty"` // "completion", "tools", "thinking"
	Remote       bool     `json:"remote,omitempty"`       // runs on another machine
	Host         string   `json:"host,omitempty"`         // where, for a remote model that the provider's own host only hands on
	Loaded       bool     `json:"loaded,omitempty"`       // in memory now
}

// The capabilities that pausetui looks at; providers may name others.
const (
	Completion = "completion"
	Tools      = "tools"
	Thinking   = "thinking"
)

// ID is how the command line and the configuration name a model: "ollama/qwen3-coder:30b".
func (i Info) ID() string { return i.Provider + "/" + i.Name }

// Message is one turn of a conversation.
type Message struct {
	Role string `json:"role"` // "system", "user", "assistant", "tool"
	Text string `json:"text"`
	// Calls are the tools that an assistant's turn asks for; CallID is, of a
	// tool's turn, the call it answers, and Tool is that tool's name.
	Calls  []Call `json:"calls,omitempty"`
	CallID string `json:"call_id,omitempty"`
	Tool   string `json:"tool,omitempty"`
}

// Tool is something a model may ask for instead of answering.
type Tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"` // a JSON schema of type object
}

// Call is a model's wish to use a tool. Nothing in it can be trusted.
type Call struct {
	ID        string         `json:"id,omitempty"`
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments,omitempty"`
}

// Request asks a model for one answer.
type Request struct {
	Messages    []Message
	Temperature float64
	Seed        int
	MaxTokens   int    // 0 leaves it to the provider
	Tools       []Tool // what the model may call; an answer is then text, calls, or both
	// FirstToken and Total bound the wait for the first token and for the
	// whole answer; zero means the provider's default.
	FirstToken, Total time.Duration
}

// Answer is a complete answer; a cut one is an error, never an Answer. The token
// counts are the server's own.
type Answer struct {
	Text         string        `json:"text"`
	Calls        []Call        `json:"calls,omitempty"`
	PromptTokens int           `json:"prompt_tokens,omitempty"`
	Tokens       int           `json:"tokens,omitempty"`
	Took         time.Duration `json:"took"`
	FirstToken   time.Duration `json:"first_token,omitempty"`
	Cost         float64       `json:"cost,omitempty"` // in the currency of the configured price; 0 without one
}

// Model completes requests. onText is called with each piece of the answer's
// text as it arrives, from the caller's goroutine; it may be nil.
type Model interface {
	Info() Info
	Complete(ctx context.Context, r Request, onText func(string)) (Answer, error)
}

// Provider finds models.
type Provider interface {
	// Models lists what is there now. It fails with ErrUnavailable when the
	// provider does not answer.
	Models(ctx context.Context) ([]Info, error)
	// Open returns the model of that name; it fails with ErrUnknownModel.
	Open(ctx context.Context, name string) (Model, error)
}

// Puller is a provider that can fetch models.
type Puller interface {
	// Pull fetches a model, or goes on where an earlier Pull was cut off.
	// onProgress is called from the caller's goroutine; it may be nil.
	Pull(ctx context.Context, name string, onProgress func(Progress)) error
}

// Progress is how far something long has come. Done and Total are bytes; Total
// is 0 while it is not known.
type Progress struct {
	Status      string
	Done, Total int64
}

var (
	// ErrServer is returned when a server has failed, which says nothing of its model.
	ErrServer = errors.New("the model server has failed")
	// ErrUnavailable is returned when a provider cannot be reached.
	ErrUnavailable = errors.New("the model provider does not answer")
	// ErrUnknownModel is returned for a name the provider does not know.
	ErrUnknownModel = errors.New("unknown model")
	// ErrUnauthorized is returned when the provider wants another key.
	ErrUnauthorized = errors.New("the provider does not accept the key")
	// ErrBusy is returned when the provider asks to come back later.
	ErrBusy = errors.New("the provider is busy")
	// ErrCut is returned when a stream ended before the answer was complete.
	ErrCut = errors.New("the answer was cut off")
	// ErrEmpty is returned for an answer without any text.
	ErrEmpty = errors.New("the model answered nothing")
	// ErrFiltered is returned when the model or the provider's filter declines to answer.
	ErrFiltered = errors.New("the provider declines to answer")
	// ErrTooLong is returned when an answer passes the size limit.
	ErrTooLong = errors.New("the answer is too long")
	// ErrPromptTooLong is returned when the prompt does not fit the model's context.
	ErrPromptTooLong = errors.New("the prompt does not fit the model's context")
	// ErrStalled is returned when no token arrives for too long.
	ErrStalled = errors.New("the model has stopped answering")
)
