package convert

import (
	"reflect"
	"testing"

	"github.com/go-delve/delve/service/api"
)

// A duration inside of something is a duration, whatever constant has its value.
func TestDurationsInStructs(t *testing.T) {
	v := api.Variable{Type: "main.limits", Kind: reflect.Struct, Len: 1, Children: []api.Variable{
		{Name: "Wait", Type: "time.Duration", RealType: "int64", Kind: reflect.Int64, Value: "net/http.http2prefaceTimeout (10000000000)"}}}
	if got := Value(&v, 0); got != "main.limits{Wait: 10s}" {
		t.Error(got)
	}
}
