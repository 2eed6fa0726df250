package session

import "github.com/pausetui/pausetui/debugger"

// Notice is a word to the person that belongs to the record.
type Notice struct {
	Level string `json:"level"` // "info", "warn", "error"
	Text  string `json:"text"`
	Hint  string `json:"hint,omitempty"`
	// Limit is the limit that was reached, where that is what it tells.
	Limit Limit `json:"limit,omitempty"`
	// Offer is a breakpoint that can be set instead of the one that was refused.
	Offer *debugger.Breakpoint `json:"offer,omitempty"`
	// Candidates are the locations that the one of Offer may mean.
	Candidates []string `json:"candidates,omitempty"`
	// To is the participant of a shared session that it answers; empty for all.
	To string `json:"to,omitempty"`
	// Pin is what a note is about; nil for nothing in particular.
	Pin *Pin `json:"pin,omitempty"`
}
