package debugger

// Location is a place of the target's code.
type Location struct {
	File     string   `json:"file,omitempty"` // absolute, as the binary records it
	Line     int      `json:"line,omitempty"`
	Function string   `json:"function,omitempty"`
	PC       uint64   `json:"pc,omitempty"`  // 0 where a line has no instructions
	PCs      []uint64 `json:"pcs,omitempty"` // all its instructions' beginnings: of inlined and generic functions there are several
}

// Instruction is one machine instruction.
type Instruction struct {
	Location
	Bytes      []byte    `json:"bytes,omitempty"`
	Text       string    `json:"text"`
	To         *Location `json:"to,omitempty"` // where a call leads to, if that is known
	Breakpoint bool      `json:"breakpoint,omitempty"`
	Current    bool      `json:"current,omitempty"` // the selected goroutine is here
}

// Code says what to disassemble: the function that holds PC, or the
// instructions from Start up to End where PC is 0.
type Code struct{ PC, Start, End uint64 }

// Register is a register of a processor.
type Register struct {
	Name  string `json:"name"`
	Value string `json:"value"` // hexadecimal, followed by what it means: "0x0000000000000246\t[PF ZF IF IOPL=0]"
}

// Memory is a piece of the target's memory.
type Memory struct {
	Addr         uint64 `json:"addr"`
	Bytes        []byte `json:"bytes"`
	LittleEndian bool   `json:"little_endian"`
}

// Thread is a thread of the operating system.
type Thread struct {
	ID        int         `json:"id"`
	At        Location    `json:"at"`
	Goroutine GoroutineID `json:"goroutine,omitempty"` // 0 if it runs none
	Selected  bool        `json:"selected,omitempty"`
}

// Library is a shared library, or a plugin, that the target has loaded.
type Library struct {
	Path string `json:"path"`
	Addr uint64 `json:"addr"`
	Err  string `json:"err,omitempty"` // why its debug information could not be read
}

// Package is a package that the target was built of.
type Package struct {
	Path string `json:"path"` // of the import
	Dir  string `json:"dir,omitempty"`
}

// Process is one of the processes that are debugged together.
type Process struct {
	PID      int    `json:"pid"`
	Command  string `json:"command"`
	Selected bool   `json:"selected,omitempty"`
}

// Type describes a type, or that of an expression.
type Type struct {
	Name     string  `json:"name"`
	Kind     string  `json:"kind,omitempty"`     // "struct", "int"; empty for that of an expression
	Size     int64   `json:"size,omitempty"`     // in bytes; 0 for that of an expression
	Real     string  `json:"real,omitempty"`     // the function that a name means
	Concrete string  `json:"concrete,omitempty"` // the type of what an interface holds
	Location string  `json:"location,omitempty"` // where the debug information says the value is
	Register bool    `json:"register,omitempty"` // the expression names a register of the processor
	Fields   []Field `json:"fields,omitempty"`
	Methods  []string
}

// Field is a field of a struct type.
type Field struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// DumpProgress tells how far the writing of a core dump has come.
type DumpProgress struct {
	Threads, AllThreads int
	Memory, AllMemory   uint64 // bytes
}
