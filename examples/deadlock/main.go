// Command deadlock sums up the access log of a web server in a pipeline:
// a reader, several parsers and a summary, each a goroutine, joined by
// channels.
//
// The lesson: in a deadlock no statement is wrong by itself; the goroutines
// pane shows who waits for whom.
//
//	pausetui debug ./examples/deadlock
package main

import "fmt"

// accessLog is an hour of a very small server.
var accessLog = []string{
	"10.0.0.4 GET /index.html 200 5120",
	"10.0.0.7 GET /style.css 200 880",
	"10.0.0.4 GET /favicon.ico 404 150",
	"10.0.0.9 POST /login 302 0",
	"10.0.0.9 GET /account 200 2300",
	"-- rotated --",
	"10.0.0.7 GET /index.html 200 5120",
	"10.0.0.2 GET /report.pdf 500 90",
	"10.0.0.4 GET /index.html 200 many",
	"10.0.0.2 GET /report.pdf 200 81000",
}

func main() {
	summary := Summarize(accessLog, 2)
	fmt.Printf("%d requests, %d bytes\n", summary.Requests, summary.Bytes)
	for _, class := range []int{2, 3, 4, 5} {
		fmt.Printf("  %dxx: %d\n", class, summary.ByClass[class])
	}
	for _, m := range summary.Malformed {
		fmt.Printf("line %d is malformed: %v\n", m.Line, m.Err)
	}
}
