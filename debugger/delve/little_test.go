package delve

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"testing"
	"time"
)

// TestConnectToAServerThatSaysLittle: it answers every call with nothing, or
// says that the program is in a file of its choice.
func TestConnectToAServerThatSaysLittle(t *testing.T) {
	const at = `{"file":"/etc/passwd","line":3,"function":{"name":"main.main"},"goroutineID":1}`
	for name, state := range map[string]string{
		"nothing": `{}`,
		"a place": `{"State":{"Threads":[` + at + `],"currentThread":` + at + `,"currentGoroutine":{"id":1}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go answerAll(l, state)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			target, err := Connect(ctx, ConnectConfig{Addr: l.Addr().String()})
			if err == nil {
				_ = target.Close()
			}
		})
	}
}

// answerAll answers calls on every connection until they end.
func answerAll(l net.Listener, state string) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		calls := json.NewDecoder(conn)
		for {
			var call struct {
				Method string
				ID     uint64
			}
			if calls.Decode(&call) != nil {
				break
			}
			result := "{}"
			if call.Method == "RPCServer.State" {
				result = state
			}
			id, _ := json.Marshal(call.ID)
			_, _ = io.WriteString(conn, `{"id":`+string(id)+`,"result":`+result+`,"error":null}`+"\n")
		}
		_ = conn.Close()
	}
}
