package session

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Why is what is known of why the target stopped, beyond the panic's message and its place,
// which are shown with every stop; empty where that is nothing.
func (s StopRecord) Why() string {
	if s.Diagnosis == nil || s.Diagnosis.Sentence == "" {
		return ""
	}
	words, p := s.Diagnosis.Words(), s.Stop.Panic
	if p == nil || p.Message == "" {
		return words
	}
	message, _, _ := strings.Cut(p.Message, "\n")
	switch rest, repeated := strings.CutPrefix(words, message); {
	case !repeated:
		return words
	case rest == "":
		return ""
	case p.Culprit >= 0 && p.Culprit < len(s.Stop.Frames):
		f := s.Stop.Frames[p.Culprit]
		if strings.HasPrefix(rest, " in ") && strings.HasSuffix(rest, fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)) {
			return ""
		}
	}
	return words
}
