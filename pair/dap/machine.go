package dap

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// machine is what an editor does with code and memory.
type machine struct{ *server }

// Bounds of one request.
const (
	maxInstructions = 4096
	maxMemory       = 1 << 20 // bytes that are read
	maxWritten      = 1024    // bytes that are written
)

// longest bounds an instruction of the processors that Go knows, in bytes.
const longest = 16

// disassemble answers with instructions around an address. Before and after the function
// there, whose beginning and end are known, nothing is read.
func (s machine) disassemble(m *dap.DisassembleRequest) error {
	reader, ok := s.seat.Inspector().(debugger.Disassembler)
	if !ok {
		return errNotSupported
	}
	at, err := address(m.Arguments.MemoryReference, m.Arguments.Offset)
	if err != nil {
		return err
	}
	frame, err := s.frameFor(0)
	if err != nil {
		return err
	}
	count := min(max(m.Arguments.InstructionCount, 0), maxInstructions)
	list, err := reader.Disassemble(s.underway.ctx, frame, debugger.Code{PC: at}, "")
	if err != nil {
		return err
	}
	first := 0
	for first < len(list) && list[first].PC < at {
		first++
	}
	first += m.Arguments.InstructionOffset
	a := &dap.DisassembleResponse{Response: response(m.GetRequest())}
	a.Body.Instructions = make([]dap.DisassembledInstruction, 0, count)
	for i := first; len(a.Body.Instructions) < count; i++ {
		one := dap.DisassembledInstruction{Address: "0x0", Instruction: "(not in this function)"}
		if i >= 0 && i < len(list) {
			one = s.instruction(list[i])
		} else if len(list) > 0 && i >= len(list) {
			one.Address = fmt.Sprintf("%#x", list[len(list)-1].PC+uint64(longest*(i-len(list)+1)))
		}
		a.Body.Instructions = append(a.Body.Instructions, one)
	}
	s.send(a)
	return nil
}

func (s machine) instruction(i debugger.Instruction) dap.DisassembledInstruction {
	one := dap.DisassembledInstruction{Address: fmt.Sprintf("%#x", i.PC), InstructionBytes: strings.TrimSpace(fmt.Sprintf("% x", i.Bytes)),
		Instruction: session.Clean(i.Text), Symbol: session.Clean(i.Function), Line: i.Line}
	if i.File != "" {
		one.Location = &dap.Source{Name: filepath.Base(i.File), Path: s.config.theirs(i.File)}
	}
	return one
}

func (s machine) readMemory(m *dap.ReadMemoryRequest) error {
	reader, ok := s.seat.Inspector().(debugger.MemoryReader)
	if !ok {
		return errNotSupported
	}
	at, err := address(m.Arguments.MemoryReference, m.Arguments.Offset)
	if err != nil {
		return err
	}
	if _, err := s.held(); err != nil {
		return err
	}
	count := min(max(m.Arguments.Count, 0), maxMemory)
	bytes, err := reader.ReadMemory(s.underway.ctx, at, count)
	if err != nil && len(bytes) == 0 && s.underway.ctx.Err() != nil {
		return err
	}
	a := &dap.ReadMemoryResponse{Response: response(m.GetRequest())}
	a.Body = dap.ReadMemoryResponseBody{Address: fmt.Sprintf("%#x", at), UnreadableBytes: count - len(bytes), Data: base64.StdEncoding.EncodeToString(bytes)}
	s.send(a)
	return nil
}

// writeMemory sets one byte after the other, as the command line does.
func (s machine) writeMemory(m *dap.WriteMemoryRequest) error {
	at, err := address(m.Arguments.MemoryReference, m.Arguments.Offset)
	if err != nil {
		return err
	}
	bytes, err := base64.StdEncoding.DecodeString(m.Arguments.Data)
	if err != nil {
		return errors.New("the data is not base64")
	}
	if len(bytes) > maxWritten {
		return fmt.Errorf("%d bytes are too many: at most %d are written at a time", len(bytes), maxWritten)
	}
	frame, err := s.frameFor(0)
	if err != nil {
		return err
	}
	a := &dap.WriteMemoryResponse{Response: response(m.GetRequest())}
	for i, b := range bytes {
		if _, err := s.line(frame, fmt.Sprintf("set *(*uint8)(%#x) = %d", at+uint64(i), b)); err != nil {
			if i == 0 || !m.Arguments.AllowPartial {
				return fmt.Errorf("byte %d: %w", i, err)
			}
			break
		}
		a.Body.BytesWritten = i + 1
	}
	s.send(a)
	s.invalidated("variables")
	return nil
}
