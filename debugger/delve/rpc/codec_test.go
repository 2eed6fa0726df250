package rpc

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/rpc"
	"strings"
	"testing"

	"github.com/go-delve/delve/service/rpc2"
)

func TestSplitAnswer(t *testing.T) {
	for line, want := range map[string]struct {
		id             uint64
		result, failed string
	}{
		`{"id":7,"result":{"Mem":"AAAA"},"error":null}`:             {7, `{"Mem":"AAAA"}`, ""},
		`{"id":7,"result":null,"error":"no such goroutine"}`:        {7, "null", "no such goroutine"},
		`{"id":7,"result":{"a":",\"error\":null}"},"error":null}`:   {7, `{"a":",\"error\":null}"}`, ""},
		`{ "result": {"b":1}, "error": null, "id": 8 }`:             {8, `{"b":1}`, ""},
		`{"id":7,"result":null,"error":null}`:                       {7, "null", "unspecified error"},
		`{"id":7,"error":{"code":3}}`:                               {7, "", "unspecified error"},
		`{"id":7,"result":{"t":"}"},"error":null}`:                  {7, `{"t":"}"}`, ""},
		`{"id":9,"result":{"Mem":"AA==","IsL":true},"error":"bad"}`: {9, `{"Mem":"AA==","IsL":true}`, "bad"},
	} {
		id, result, failed, err := splitAnswer([]byte(line))
		if err != nil || id != want.id || string(result) != want.result || failed != want.failed {
			t.Errorf("%s: %d %q %q %v", line, id, result, failed, err)
		}
	}
	for _, line := range []string{"", "{", `{"id":x}`, "null and void"} {
		if _, _, _, err := splitAnswer([]byte(line)); err == nil {
			t.Errorf("%q is taken for an answer", line)
		}
	}
}

// FuzzAnswer holds that the short way of reading memory gives what the long way
// gives.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("memory of a program"), uint64(3))
	f.Add([]byte{}, uint64(0))
	f.Fuzz(func(t *testing.T, memory []byte, id uint64) {
		var line bytes.Buffer
		if err := json.NewEncoder(&line).Encode(struct {
			ID     uint64 `json:"id"`
			Result any    `json:"result"`
			Error  any    `json:"error"`
		}{id, rpc2.ExaminedMemoryOut{Mem: memory, IsLittleEndian: true}, nil}); err != nil {
			t.Fatal(err)
		}
		if line.Len() > 0 && !strings.Contains(line.String(), base64.StdEncoding.EncodeToString(memory)) {
			t.Fatal("the server does not write base64")
		}
		c := &codec{in: bufio.NewReader(&line), methods: map[uint64]string{id: "RPCServer.ExamineMemory"}}
		var head rpc.Response
		var got rpc2.ExaminedMemoryOut
		if err := c.ReadResponseHeader(&head); err != nil {
			t.Fatal(err)
		}
		if err := c.ReadResponseBody(&got); err != nil || head.Seq != id || !bytes.Equal(got.Mem, memory) || !got.IsLittleEndian {
			t.Errorf("%v, %+v, %+v", err, head, got)
		}
	})
}
