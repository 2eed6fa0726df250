// Command recordimport reads the records of weather stations, and lists when each is
// read next.
//
// A record needs not have every key: the package declares what stands in for some.
//
// The lesson: a missing key has several answers. A declared default, an error, a value
// that is made up: pausetui offers what it finds, and names what only hides the gap.
//
//	pausetui debug ./examples/recordimport
package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
)

//go:embed testdata/stations.json
var export []byte

func main() {
	var records []Record
	if err := json.Unmarshal(export, &records); err != nil {
		fmt.Fprintln(os.Stderr, "recordimport:", err)
		os.Exit(1)
	}
	for _, rec := range records {
		fmt.Println(NewStation(rec))
	}
	fmt.Println("imported", len(records), "stations")
}
