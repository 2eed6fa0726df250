package main

import (
	"context"
	"encoding/xml"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/internal/testsupport"
)

var docs = filepath.Join("..", "..", "docs")

// drawn is what the tests read of a picture.
type drawn struct {
	Comment string `xml:",comment"`
	Style   string `xml:"style"`
	Rows    []struct {
		ID   string    `xml:"id,attr"`
		Runs []textRun `xml:"text"`
	} `xml:"defs>g"`
	Frames []struct {
		ID   string `xml:"id,attr"`
		Uses []struct {
			Href string  `xml:"href,attr"`
			Y    float64 `xml:"y,attr"`
		} `xml:"use"`
		Caption string `xml:"text"`
	} `xml:"svg>g>g"`
}

type textRun struct {
	X    float64 `xml:"x,attr"`
	Text string  `xml:",chardata"`
}

// scenes reads the text of the scenes off the picture.
func (d drawn) scenes(t *testing.T) map[string]string {
	t.Helper()
	runs := map[string][]textRun{}
	for _, r := range d.Rows {
		runs["#"+r.ID] = r.Runs
	}
	found := map[string]string{}
	for _, f := range d.Frames {
		name, end := strings.CutPrefix(f.ID, "scene-")
		if !end {
			continue
		}
		lines := make([]string, rows)
		for _, use := range f.Uses {
			line := []rune(strings.Repeat(" ", columns))
			for _, run := range runs[use.Href] {
				copy(line[int(run.X/cellWidth+0.5):], []rune(run.Text))
			}
			lines[int(use.Y/cellHeight+0.5)] = strings.TrimRight(string(line), " ")
		}
		found[name+": "+f.Caption] = strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
	}
	return found
}

func parse(t *testing.T, svg []byte) drawn {
	t.Helper()
	var d drawn
	if err := xml.Unmarshal(svg, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// The pictures in the documents show the scenes that stand next to them, of these
// scripts.
func TestThePicturesShowTheirText(t *testing.T) {
	for _, r := range recordings {
		text := testsupport.Read(t, filepath.Join(docs, r.name+".txt"))
		svg := testsupport.Read(t, filepath.Join(docs, r.name+".svg"))
		d := parse(t, []byte(svg))
		if !strings.Contains(d.Comment, hash([]byte(text))) {
			t.Errorf("%s.svg was not made with %[1]s.txt: run make recording", r.name)
		}
		files := txtar.Parse([]byte(text)).Files
		if len(files) != len(r.script) {
			t.Fatalf("%s.txt has %d scenes, the script %d: run make recording", r.name, len(files), len(r.script))
		}
		shown := d.scenes(t)
		for i, f := range files {
			if want := r.script[i].name + ": " + r.script[i].caption; f.Name != want {
				t.Errorf("scene %d is %q, in the script %q: run make recording", i, f.Name, want)
			}
			if shown[f.Name] != string(f.Data) {
				t.Errorf("scene %q: the picture shows\n%s\nits text is\n%s", f.Name, shown[f.Name], f.Data)
			}
			for _, want := range r.script[i].shown {
				if !strings.Contains(string(f.Data), want) {
					t.Errorf("scene %q does not show %q", f.Name, want)
				}
			}
		}
	}
}

// So do the pictures of single scenes.
func TestTheStillsShowTheirText(t *testing.T) {
	for _, r := range recordings {
		text := testsupport.Read(t, filepath.Join(docs, r.name+".txt"))
		for _, name := range r.stills {
			d := parse(t, []byte(testsupport.Read(t, filepath.Join(docs, name+".svg"))))
			if !strings.Contains(d.Comment, hash([]byte(text))) {
				t.Errorf("%s.svg was not made with %s.txt: run make recording", name, r.name)
			}
			shown := d.scenes(t)
			if len(shown) != 1 {
				t.Errorf("%s.svg has %d scenes", name, len(shown))
			}
			for scene, lines := range shown {
				if !strings.Contains(text, "-- "+scene+" --\n"+lines) {
					t.Errorf("%s.svg shows\n%s", name, lines)
				}
			}
		}
	}
}

// GitHub shows an animated SVG if it is small and needs nothing else.
func TestThePicturesAreSelfContained(t *testing.T) {
	for _, r := range recordings {
		svg := testsupport.Read(t, filepath.Join(docs, r.name+".svg"))
		if len(svg) > 600<<10 {
			t.Errorf("%s.svg has %d bytes", r.name, len(svg))
		}
		rest := strings.Replace(svg, `xmlns="http://www.w3.org/2000/svg"`, "", 1)
		for _, needs := range []string{"<script", "foreignObject", "<image", "@import", "url(", `="http`} {
			if strings.Contains(rest, needs) {
				t.Errorf("%s.svg has %q", r.name, needs)
			}
		}
		lasts := regexp.MustCompile(`animation:reel ([0-9.]+)s`).FindStringSubmatch(svg)
		if lasts == nil {
			t.Fatalf("%s.svg is not animated", r.name)
		}
		if s, err := strconv.ParseFloat(lasts[1], 64); err != nil || s < 15 || s > 30 {
			t.Errorf("%s.svg lasts %s s, %v", r.name, lasts[1], err)
		}
		if !strings.Contains(testsupport.Read(t, filepath.Join("..", "..", "README.md")), "(docs/"+r.name+".svg)") {
			t.Errorf("README.md does not show %s.svg", r.name)
		}
	}
}

// A program is played and drawn as its terminal shows it.
func TestPlay(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sh", "-c", `printf 'ready\n'; stty -echo; read x; printf 'a <b> & \033[1;31mred\033[0m  \033[7minverse\033[0m é\n'; read x`)
	steps := []step{
		{name: "start", caption: "it starts", shown: []string{"ready"}, hold: time.Second},
		{name: "end", caption: "x & y", keys: []string{"go", "\r"}, shown: []string{"inverse"}, work: time.Second, hold: time.Second},
	}
	scenes, err := play(context.Background(), cmd, steps)
	if err != nil {
		t.Fatal(err)
	}
	r := recording{name: "x"}
	text := r.transcript(scenes)
	shown := parse(t, r.picture(scenes, text)).scenes(t)
	want := map[string]string{"start: it starts": "ready\n", "end: x & y": "ready\na <b> & red  inverse é\n"}
	for name, lines := range want {
		if shown[name] != lines || !strings.Contains(string(text), "-- "+name+" --\n"+strings.TrimSpace(lines)) {
			t.Errorf("%s: the picture shows\n%s\nthe text is\n%s", name, shown[name], text)
		}
	}
	svg := string(r.picture(scenes, text))
	for _, rule := range []string{"fill:#800000;font-weight:bold", "{fill:" + foreground + "}", "{fill:" + background + "}"} {
		if !strings.Contains(svg, rule) {
			t.Errorf("the picture has no rule with %q:\n%s", rule, svg)
		}
	}
}

// What a script waits for and never comes is an error with the screen.
func TestPlayGivesUp(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	_, err := play(ctx, exec.Command("sh", "-c", "read x"), []step{{name: "never", shown: []string{"nothing"}}})
	if err == nil || !strings.Contains(err.Error(), "never") {
		t.Errorf("err is %v", err)
	}
}

// A way that is too long is sped up, a screen that was there for a moment left out.
func TestPaced(t *testing.T) {
	shot := func(ms int, text string) snapshot {
		s := snapshot{at: time.Duration(ms) * time.Millisecond, cells: [][]uv.Cell{nil}}
		for _, r := range text {
			s.cells[0] = append(s.cells[0], uv.Cell{Content: string(r), Width: 1})
		}
		return s
	}
	got := paced([]snapshot{shot(0, "a"), shot(1000, "half"), shot(1010, "b"), shot(2000, "c")}, 0, step{work: time.Second, hold: 3 * time.Second})
	want := []struct {
		text  string
		lasts time.Duration
	}{{"a\n", 500 * time.Millisecond}, {"b\n", 500 * time.Millisecond}, {"c\n", 3 * time.Second}}
	if len(got) != len(want) {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for i, w := range want {
		if got[i].text() != w.text || got[i].lasts != w.lasts {
			t.Errorf("frame %d shows %q for %v, want %q for %v", i, got[i].text(), got[i].lasts, w.text, w.lasts)
		}
	}
}

// varies is what differs from run to run: times, and how far the proofs are while the
// cause is read.
var varies = []struct{ what, by string }{
	{`[0-9.]+ (ms|s)\b`, "TIME"},
	{`[0-9]+ (seconds?|minutes?) ago`, "AGO"},
	{`[0-9]+ [A-Z][a-z]+ [0-9]{4} [0-9:]+`, "DATE"},
	{`[0-9]{8}-[0-9]{6}`, "SESSION"},
	{`(◌ proving|✓ repairs) +built-in`, "STATE built-in"},
	{`│   (build ◌|[a-z]+ ?[✓◌].*|) +│`, "│ CHECKS │"},
	{`[─ ┃│]+`, " "}, // what is shorter makes room
}

func masked(text string) string {
	for _, v := range varies {
		text = regexp.MustCompile(v.what).ReplaceAllString(text, v.by)
	}
	return text
}

// The program plays the recordings as they stand in the documents; what goroutines of a
// server show may differ.
func TestTheProgramPlaysSo(t *testing.T) {
	testsupport.Slow(t)
	for _, r := range recordings {
		t.Run(r.name, func(t *testing.T) {
			scenes, err := r.record(t.Context(), filepath.Join("..", ".."))
			if err != nil {
				t.Fatal(err)
			}
			if r.varies {
				return
			}
			files := txtar.Parse([]byte(testsupport.Read(t, filepath.Join(docs, r.name+".txt")))).Files
			for i, f := range txtar.Parse(r.transcript(scenes)).Files {
				got, want := masked(string(f.Data)), masked(string(files[i].Data))
				if got != want {
					t.Errorf("scene %q is stale: run make recording, and look at it\n--- now\n%s\n--- recorded\n%s", f.Name, got, want)
				}
			}
		})
	}
}
