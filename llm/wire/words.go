package wire

import (
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"

	"github.com/pausetui/pausetui/internal/printable"
)

// maxWords bounds what is repeated of a server's words, in bytes.
const maxWords = 500

// Clean makes blanks of what must not reach a terminal, and bounds a server's words.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if printable.Hidden(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.TrimSpace(s)
	if len(s) > maxWords {
		s = strings.ToValidUTF8(s[:maxWords-3], "") + "…"
	}
	return s
}

// AboutLength recognizes complaints about a prompt that does not fit: Ollama's
// ("the input length exceeds the context length", "the prompt is longer than
// the context length currently available"), OpenAI's and vLLM's ("maximum
// context length"), llama.cpp's ("exceeds the available context size").
func AboutLength(message string) bool {
	message = strings.ToLower(message)
	for _, words := range []string{"context length", "context window", "context size", "context_length", "prompt is too long", "exceed_context"} {
		if strings.Contains(message, words) {
			return true
		}
	}
	return false
}

// IsTransport reports whether the connection failed, rather than the request.
func IsTransport(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	var u *url.Error
	return errors.As(err, &op) || errors.As(err, &dns) || errors.As(err, &u) || IsCut(err)
}

// IsCut reports whether a connection ended in the middle of an answer.
func IsCut(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// Cause returns the innermost words of a transport error.
func Cause(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case IsCut(err):
		return "the connection was closed"
	}
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return Clean(err.Error())
}
