package debugger

// Breakpoint is a place where the target stops.
type Breakpoint struct {
	ID int `json:"id"`
	// Location is what the person named: "file.go:42", "main.(*Index).Add".
	// Empty when File and Line are given.
	Location string `json:"location,omitempty"`
	File     string `json:"file,omitempty"` // absolute
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
	Cond     string `json:"cond,omitempty"` // a Go expression; stops only where it is true
	Text     string `json:"text,omitempty"` // the source line, trimmed, to find its place again after edits
	Hits     uint64 `json:"hits,omitempty"`
}
