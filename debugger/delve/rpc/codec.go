package rpc

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"slices"
	"strconv"
	"sync"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/internal/printable"
)

// codec speaks JSON-RPC as net/rpc/jsonrpc does, but looks at an answer once
// where that looks at it four times. Memory in bulk comes as megabytes of
// base64: it is decoded without a look at the JSON around it.
type codec struct {
	conn io.ReadWriteCloser
	in   *bufio.Reader
	out  *json.Encoder

	mu      sync.Mutex
	methods map[uint64]string // of the calls in progress

	result []byte // of the answer whose header was read last
}

func newCodec(conn io.ReadWriteCloser) *codec {
	return &codec{conn: conn, in: bufio.NewReaderSize(conn, 128<<10), out: json.NewEncoder(conn), methods: map[uint64]string{}}
}

// WriteRequest implements rpc.ClientCodec.
func (c *codec) WriteRequest(r *rpc.Request, param any) error {
	c.mu.Lock()
	c.methods[r.Seq] = r.ServiceMethod
	c.mu.Unlock()
	return c.out.Encode(struct {
		Method string `json:"method"`
		Params [1]any `json:"params"`
		ID     uint64 `json:"id"`
	}{r.ServiceMethod, [1]any{param}, r.Seq})
}

// The frame that the server puts around a result.
var (
	answerHead  = []byte(`{"id":`)
	answerBody  = []byte(`,"result":`)
	answerTail  = []byte(`,"error":null}`)
	memoryHead  = []byte(`{"Mem":"`)
	memoryQuote = []byte(`"`)
)

// ReadResponseHeader implements rpc.ClientCodec.
func (c *codec) ReadResponseHeader(r *rpc.Response) error {
	line, err := c.line()
	if err != nil {
		return err
	}
	id, result, failed, err := splitAnswer(line)
	if err != nil {
		return fmt.Errorf("read an answer of the debugger: %w", err)
	}
	c.mu.Lock()
	r.ServiceMethod = c.methods[id]
	delete(c.methods, id)
	c.mu.Unlock()
	r.Seq, r.Error, c.result = id, failed, result
	return nil
}

// maxAnswer is how long an answer may be, in bytes: what is at the other end need
// not be Delve. Its longest answers are memory in bulk and lists of functions.
const maxAnswer = 256 << 20

// errAnswer is returned for answers that no Delve gives.
var errAnswer = errors.New("not an answer of a Delve server")

// line reads an answer without the newline that ends it.
func (c *codec) line() ([]byte, error) {
	var whole []byte
	for {
		part, err := c.in.ReadSlice('\n')
		if len(whole)+len(part) > maxAnswer {
			return nil, errAnswer
		}
		whole = append(whole, part...)
		switch {
		case err == nil:
			if whole = bytes.TrimSpace(whole); len(whole) > 0 {
				return whole, nil
			}
		case errors.Is(err, io.EOF) && len(whole) > 0:
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// splitAnswer takes an answer apart: at once where it is framed as the server
// frames results, as any JSON otherwise.
func splitAnswer(line []byte) (id uint64, result []byte, failed string, err error) {
	if rest, ok := bytes.CutPrefix(line, answerHead); ok {
		number, body, found := bytes.Cut(rest, answerBody)
		body, ends := bytes.CutSuffix(body, answerTail)
		if id, err := strconv.ParseUint(string(number), 10, 64); err == nil && found && ends && !bytes.Equal(body, []byte("null")) {
			return id, body, "", nil
		}
	}
	var answer struct {
		ID     uint64          `json:"id"`
		Result json.RawMessage `json:"result"`
		Error  any             `json:"error"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return 0, nil, "", err
	}
	switch text, isText := answer.Error.(string); {
	case isText && text != "":
		failed = text
	case answer.Error != nil || len(answer.Result) == 0 || string(answer.Result) == "null":
		failed = "unspecified error"
	}
	return answer.ID, answer.Result, failed, nil
}

// ReadResponseBody implements rpc.ClientCodec; nil discards the answer.
func (c *codec) ReadResponseBody(into any) error {
	if into == nil {
		return nil
	}
	if memory, ok := into.(*rpc2.ExaminedMemoryOut); ok {
		if text, ok := bytes.CutPrefix(c.result, memoryHead); ok {
			text, _, _ = bytes.Cut(text, memoryQuote)
			decoded, err := base64.StdEncoding.AppendDecode(nil, text)
			memory.Mem, memory.IsLittleEndian = decoded, true
			return err
		}
	}
	if err := decode(c.result, into); err != nil {
		return err
	}
	printable.FoldNames(into, c.result)
	return complete(into)
}

// complete fails for answers without what Delve always says, on which all callers
// relies who reads them.
func complete(answer any) error {
	switch a := answer.(type) {
	case *rpc2.EvalOut:
		return missing(a.Variable == nil)
	case *rpc2.StateOut:
		return missing(a.State == nil || slices.Contains(a.State.Threads, nil))
	case *rpc2.CommandOut:
		return missing(slices.Contains(a.State.Threads, nil))
	case *rpc2.ListGoroutinesOut:
		return missing(slices.Contains(a.Goroutines, nil))
	case *rpc2.ListThreadsOut:
		return missing(slices.Contains(a.Threads, nil))
	case *rpc2.ListBreakpointsOut:
		return missing(slices.Contains(a.Breakpoints, nil))
	case *rpc2.GetThreadOut:
		return missing(a.Thread == nil)
	case *rpc2.CreateWatchpointOut:
		return missing(a.Breakpoint == nil)
	case *rpc2.TypeInfoOut:
		return missing(a.TypeInfo == nil)
	}
	return nil
}

func missing(it bool) error {
	if it {
		return errAnswer
	}
	return nil
}

// Close implements rpc.ClientCodec.
func (c *codec) Close() error { return c.conn.Close() }
