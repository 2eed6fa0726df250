//go:build go1.21

// Package replay records calls of functions and repeats them.
//
// Its source is added to the module of a program, under another import path, and
// built into it. So it imports the standard library only. A value is written as a
// tree of nodes, which names its types and does not need them to be read.
package replay

// Kind says what a node stands for.
type Kind string

// The kinds of nodes.
const (
	Nil       Kind = "nil" // of a pointer, slice, map, function, channel or interface
	Bool      Kind = "bool"
	Int       Kind = "int"
	Uint      Kind = "uint"
	Float     Kind = "float"
	Complex   Kind = "complex"
	String    Kind = "string"
	Bytes     Kind = "bytes" // a slice of bytes
	Slice     Kind = "slice"
	Array     Kind = "array"
	Map       Kind = "map"
	Struct    Kind = "struct"
	Pointer   Kind = "pointer"
	Same      Kind = "same" // a pointer to a value that is in the tree already
	Interface Kind = "interface"
	Func      Kind = "func"
	Chan      Kind = "chan"
	Time      Kind = "time"
	Context   Kind = "context"
	File      Kind = "file"
	SyncMap   Kind = "syncmap"
)

// Node is a value, or a part of one.
type Node struct {
	Kind Kind   `json:"k"`
	Type string `json:"t,omitempty"` // with the import path of its package; of an interface, that of the value in it
	// Text is the value of a scalar as Go writes it, the text of an error, the name of a
	// function or file.
	Text  string   `json:"v,omitempty"`
	Nodes []Node   `json:"n,omitempty"` // elements, fields, what a pointer leads to; keys and values of a map in turn
	Names []string `json:"f,omitempty"` // of the fields
	ID    int      `json:"i,omitempty"` // of a value that pointers lead to, and of Same
	// Wraps are the errors in the chain of an error, itself first: their types and texts.
	Wraps []Node `json:"w,omitempty"`
}

// Size is the number of nodes of a tree.
func (n Node) Size() int {
	size := 1
	for _, c := range n.Nodes {
		size += c.Size()
	}
	return size
}

// Call is a call of a function with its arguments; the receiver comes first.
type Call struct {
	Func int    `json:"f"`           // the function's number
	Num  uint64 `json:"n,omitempty"` // which call of the run it was, from 1
	// Panicked: a panic left the function. A line without Args says so of an earlier line.
	Panicked bool   `json:"p,omitempty"`
	Args     []Node `json:"a,omitempty"`
	// Away is how far an input is from those of the run: 0 is one of them, 1 differs in one
	// place, 2 in several.
	Away int `json:"d,omitempty"`
}

// Size is the number of nodes of all arguments.
func (c Call) Size() int {
	size := 0
	for _, a := range c.Args {
		size += a.Size()
	}
	return size
}

// Outcome is what a call did.
type Outcome struct {
	Results []Node `json:"r,omitempty"`
	After   []Node `json:"a,omitempty"` // the arguments through which a caller sees changes
	Panic   string `json:"p,omitempty"` // the text of the panic that left it
	Output  string `json:"o,omitempty"` // what it printed
	// Ended says how it ended where it did not return: "does not return", "exits".
	Ended string `json:"e,omitempty"`
	// Lost is why the outcome cannot be compared; empty when it can.
	Lost string `json:"l,omitempty"`
}
