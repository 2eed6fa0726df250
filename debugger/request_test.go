package debugger

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"
)

// A request is read as it was written; one whose body was hidden is not whole.
func TestRequestJSON(t *testing.T) {
	want := Request{Method: http.MethodPost, Scheme: "http", Host: "localhost:80", Target: "/orders", Header: map[string][]string{"A": {"b"}}, Body: []byte(`{"n": 1}`), Whole: true}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Request
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	got = Request{}
	if err := json.Unmarshal([]byte(`{"method":"POST","body":"[redacted 7e438e]","whole":true}`), &got); err != nil || string(got.Body) != "[redacted 7e438e]" || got.Whole || got.Method != http.MethodPost {
		t.Errorf("hidden: %+v, %v", got, err)
	}
}
