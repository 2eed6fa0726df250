package exeinfo

import (
	"bytes"
	"testing"
)

// FuzzLineTable: a line table from elsewhere gives functions and places, or an error.
func FuzzLineTable(f *testing.F) {
	f.Add(hostile{functions: 3, files: 1, names: []byte("main.main"), shifted: true, steps: []byte{2, 1, 4, 9, 0}, paths: []byte("a.go")}.table())
	f.Add(hostile{functions: 2, files: 9, listed: 1}.table())
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := newTable(bytes.NewReader(data), uint64(len(data)), 0x1000)
		if err != nil {
			return
		}
		functions, _, err := table.list(t.Context())
		if err != nil {
			return
		}
		for i := range functions {
			table.place(i, table.entry(i)+7, maxSteps)
		}
		if len(functions) > 0 {
			if i, ok := table.at(table.entry(0)); ok && i < 0 || i >= len(functions) {
				t.Errorf("function %d of %d", i, len(functions))
			}
			table.named(functions[0].Name)
		}
	})
}
