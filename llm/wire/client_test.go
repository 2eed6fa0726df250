package wire

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// What may go to a server does not go on to another machine, and a prompt
// nowhere: not to another port, where something else listens.
func TestRequestsStayWithTheirServer(t *testing.T) {
	for _, tt := range []struct {
		method, to string
		refused    error
	}{
		{http.MethodGet, "http://models.example.com/v1", ErrRedirect},
		{http.MethodGet, "http://localhost:9000/v1", nil},
		{http.MethodPost, "http://models.example.com/v1", ErrPrompt},
		{http.MethodPost, "http://localhost:9000/containers/create", ErrPrompt},
		{http.MethodPost, "http://127.0.0.1:8000/v2", ErrPrompt},
	} {
		var asked []string
		client := Client(&http.Client{Transport: RoundTripper(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.Host)
			resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("")), Request: r}
			if len(asked) == 1 {
				resp.StatusCode = http.StatusTemporaryRedirect
				resp.Header.Set("Location", tt.to)
			}
			return resp, nil
		})}, func(next http.RoundTripper) http.RoundTripper { return next })
		r, err := http.NewRequestWithContext(t.Context(), tt.method, "http://127.0.0.1:8000/v1", strings.NewReader("a prompt"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(r)
		if err == nil {
			_ = resp.Body.Close()
		}
		if sent := len(asked) > 1; sent != (tt.refused == nil) || !errors.Is(err, tt.refused) {
			t.Errorf("%s to %s: asked %q, %v", tt.method, tt.to, asked, err)
		}
	}
}
