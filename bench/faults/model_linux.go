package main

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

// modelName is the model that the scripted server has.
const modelName = "good:7b"

// answer changes two files: both have to be written, or none.
const answer = "The map is nil.\n```go\nfunc NewShelf() *Shelf {\n\treturn &Shelf{books: map[string][]string{}}\n}\n\n" +
	"func main() {\n\tshelf := NewShelf()\n\tshelf.Put(\"Lem\", \"Solaris\")\n\tfmt.Println(\"books shelved:\", shelf.Count())\n}\n```\n"

// modelFaults are what a server may do instead of answering.
var modelFaults = map[string]func(*rand.Rand) []ollamatest.Step{
	"stalls": func(*rand.Rand) []ollamatest.Step {
		return []ollamatest.Step{{Text: answer[:40]}, {Hang: true}}
	},
	"resets": func(rng *rand.Rand) []ollamatest.Step {
		return []ollamatest.Step{{Text: answer[:rng.IntN(len(answer))]}, {Cut: true}}
	},
	"streams garbage": func(rng *rand.Rand) []ollamatest.Step {
		var junk strings.Builder
		for range 1 + rng.IntN(1<<16) {
			junk.WriteByte(byte(rng.IntN(256)))
		}
		return []ollamatest.Step{{Text: answer[:40]}, {Raw: junk.String()}, {End: true}}
	},
	"streams without end": func(*rand.Rand) []ollamatest.Step {
		return []ollamatest.Step{{Text: strings.Repeat("and so on ", 1000), Times: 1 << 20}}
	},
	"says nothing": func(*rand.Rand) []ollamatest.Step { return []ollamatest.Step{{End: true}} },
	"fails":        func(*rand.Rand) []ollamatest.Step { return []ollamatest.Step{{Status: 500, Error: "out of memory"}} },
	"goes away":    nil, // see gone
}

// models starts the model server of a run.
func (r *run) models() error {
	script := ollamatest.Pieces(answer, 10*time.Millisecond)
	what, isFault := strings.CutPrefix(r.fault.name, modelPrefix)
	if steps := modelFaults[what]; isFault && steps != nil {
		script = func(ollamatest.Request) []ollamatest.Step {
			return steps(rand.New(rand.NewPCG(uint64(r.fault.number), 0)))
		}
	}
	var err error
	r.model, err = ollamatest.Start("127.0.0.1:0", ollamatest.Model{Name: modelName, Capabilities: []string{"completion"}, Loaded: true, Script: script})
	if err == nil {
		r.more = append(r.more, "OLLAMA_HOST="+r.model.URL)
	}
	return err
}

// modelPrefix begins the names of faults of the model server.
const modelPrefix = "model "

// gone has the model server end; any other fault of it was there from the beginning.
func gone(r *run, f fault) (string, error) {
	if f.name == modelPrefix+"goes away" {
		return "", r.model.Close()
	}
	return "", nil
}

var asked = []step{press("", "nil-map-write"), press("f"), press("", modelName), press("6"), press("", "books shelved", "✓ verified"), press("a", "Approve fix"), press("y", "✓ fixed")}
