package rpc

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/rpc"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/go-delve/delve/service/rpc2"
)

// endless is a line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestAnswersAreBounded(t *testing.T) {
	c := &codec{in: bufio.NewReaderSize(endless{}, 1<<20), methods: map[uint64]string{}}
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // what is garbage hardly counts, however busy the machine is
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := c.ReadResponseHeader(&rpc.Response{}); !errors.Is(err, errAnswer) {
		t.Errorf("err = %v", err)
	}
	runtime.ReadMemStats(&after)
	if took := after.HeapSys - before.HeapSys; took > 8*maxAnswer {
		t.Errorf("it took %d MB", took>>20)
	}
}

func TestAnswersAreComplete(t *testing.T) {
	for result, into := range map[string]any{
		`{}`:                           &rpc2.EvalOut{},
		`{"State":null}`:               &rpc2.StateOut{},
		`{"State":{"Threads":[null]}}`: &rpc2.CommandOut{},
		`{"Goroutines":[null]}`:        &rpc2.ListGoroutinesOut{},
	} {
		c := &codec{result: []byte(result)}
		if err := c.ReadResponseBody(into); !errors.Is(err, errAnswer) {
			t.Errorf("%s: err = %v", result, err)
		}
	}
	c := &codec{result: []byte(`{"Variable":{"name":"x"}}`)}
	if err := c.ReadResponseBody(&rpc2.EvalOut{}); err != nil {
		t.Error(err)
	}
}

// A binary, a core dump or a server may name its files and functions as it likes: each name is
// in one line as it comes in.
func TestNamesAreInOneLine(t *testing.T) {
	read := func(result string, into any) string {
		if err := (&codec{result: []byte(result)}).ReadResponseBody(into); err != nil {
			t.Error(err)
		}
		text, err := json.Marshal(into)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const bad = `a\u001b[1m\r\n::error::b`
	for result, into := range map[string]any{
		`{"Locations":[{"file":"` + bad + `","function":{"name":"` + bad + `"}}]}`:                                 &rpc2.StacktraceOut{},
		`{"Goroutines":[{"id":1,"userCurrentLoc":{"file":"` + bad + `"},"labels":{"` + bad + `":"` + bad + `"}}]}`: &rpc2.ListGoroutinesOut{},
		`{"Sources":["` + bad + `"]}`: &rpc2.ListSourcesOut{},
		`{"Funcs":["` + bad + `"]}`:   &rpc2.ListFunctionsOut{},
		`{"Types":["` + bad + `"]}`:   &rpc2.ListTypesOut{},
		`{"List":[{"ImportPath":"` + bad + `","DirectoryPath":"` + bad + `","Files":["` + bad + `"]}]}`:                       &rpc2.ListPackagesBuildInfoOut{},
		`{"Args":[{"name":"` + bad + `","type":"` + bad + `","realType":"` + bad + `","children":[{"name":"` + bad + `"}]}]}`: &rpc2.ListFunctionArgsOut{},
		`{"Breakpoints":[{"file":"` + bad + `","functionName":"` + bad + `"}]}`:                                               &rpc2.ListBreakpointsOut{},
	} {
		if got := read(result, into); !strings.Contains(got, "a ::error::b") || strings.Contains(got, `\n`) || strings.Contains(got, `\u001b`) {
			t.Errorf("%s is taken in as %s", result, got)
		}
	}
	if got := read(`{"Variables":[{"name":"x","value":"two\nlines"}]}`, &rpc2.ListLocalVarsOut{}); !strings.Contains(got, `two\nlines`) {
		t.Errorf("a value: %s", got)
	}
}
