package session

import "github.com/pausetui/pausetui/verify/verdict"

// Compared: the functions that a candidate changes were called before and after it.
type Compared struct {
	Candidate string           `json:"candidate"`
	Behavior  verdict.Behavior `json:"behavior"`
}
