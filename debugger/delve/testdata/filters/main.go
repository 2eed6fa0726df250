// Filters recovers panics of its own, and has libraries that do.
package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"text/template"

	"github.com/pausetui/pausetui/debugger/delve/testdata/filters/inner"
)

// libraries uses packages that panic and recover inside.
func libraries() {
	var v struct{ N int }
	fmt.Println(json.Unmarshal([]byte(`{"N": "x"}`), &v))
	_, err := json.Marshal(map[string]any{"f": func() {}})
	fmt.Println(err)
	t, err := template.New("t").Parse("{{.Missing}}")
	fmt.Println(err, t.Execute(&bytes.Buffer{}, v))
	_, err = template.New("t").Parse("{{")
	fmt.Println(err)
	fmt.Println(gob.NewEncoder(&bytes.Buffer{}).Encode(make(chan int)))
	_, err = parser.ParseFile(token.NewFileSet(), "x.go", "package p; func ) { ) ) ) ) ) ) ) ) } ] [ } { func 3 4 5 6 7 8\n 9\n a\n b\n c\n d\n e\n } } }", 0)
	fmt.Println(err != nil)
}

func attempt(f func()) {
	defer func() { fmt.Println("recovered", recover()) }()
	f()
}

func main() {
	switch os.Args[1] {
	case "libraries":
		libraries()
	case "mine":
		attempt(func() { panic("one") })
		attempt(inner.Fail)
		attempt(func() { panic("two") })
	case "faulty":
		attempt(func() { panic("given up") })
		attempt(func() { var seen map[string]bool; seen["x"] = true })
	case "dies":
		inner.Fail()
	}
}
