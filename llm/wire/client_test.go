package wire

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// A prompt that may go to a server does not go on to another machine.
func TestRequestsStayWithTheirServer(t *testing.T) {
	for to, want := range map[string][]string{
		"http://models.example.com/v1": {"127.0.0.1:8000"},
		"http://localhost:9000/v1":     {"127.0.0.1:8000", "localhost:9000"},
	} {
		var asked []string
		client := Client(&http.Client{Transport: RoundTripper(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.Host)
			resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("")), Request: r}
			if len(asked) == 1 {
				resp.StatusCode = http.StatusTemporaryRedirect
				resp.Header.Set("Location", to)
			}
			return resp, nil
		})}, func(next http.RoundTripper) http.RoundTripper { return next })
		resp, err := client.Post("http://127.0.0.1:8000/v1", "text/plain", strings.NewReader("a prompt"))
		if err == nil {
			_ = resp.Body.Close()
		}
		if !slices.Equal(asked, want) || errors.Is(err, ErrRedirect) != (len(want) == 1) {
			t.Errorf("to %s: asked %q, %v", to, asked, err)
		}
	}
}
