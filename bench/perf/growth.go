package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// curve is how the cost of one thing grows with its size, compared with dlv's. Costs are
// processor seconds of all processes, which depend little on the load of the machine; the
// program's time of output and that of the first paint are seconds of the clock.
type curve struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"` // what Size counts
	Points []point `json:"points"`
}

type point struct {
	Size   int     `json:"size"`
	Ours   float64 `json:"ours"`
	Theirs float64 `json:"dlv"`
}

// growth is what -growth has measured, and where.
type growth struct {
	At      time.Time `json:"at"`
	Machine string    `json:"machine"`
	Curves  []curve   `json:"curves"`
}

// grow measures all curves, prints them with the ratios that the file has, and replaces the file.
func grow(file, only string) error {
	temp, err := os.MkdirTemp("", "pausetui-perf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	tool := filepath.Join(temp, "pausetui")
	if err := goCommand("", "build", "-o", tool, "./cmd/pausetui"); err != nil {
		return err
	}
	before, err := lastGrowth(file)
	if err != nil {
		return err
	}
	now := growth{At: time.Now().UTC().Truncate(time.Second), Machine: fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())}
	for _, w := range workloads {
		if !strings.Contains(w.name, only) {
			continue
		}
		c := curve{Name: w.name, Unit: w.unit}
		for _, size := range w.sizes {
			p, err := w.point(filepath.Join(temp, fmt.Sprintf("%s%d", strings.Fields(w.name)[0], size)), tool, size)
			if err != nil {
				return fmt.Errorf("%s, %d %s: %w", w.name, size, w.unit, err)
			}
			c.Points = append(c.Points, p)
			fmt.Println(p.words(w, before))
		}
		now.Curves = append(now.Curves, c)
	}
	if file == "" || only != "" {
		return nil
	}
	data, err := json.MarshalIndent(now, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o600)
}

func lastGrowth(file string) (g growth, err error) {
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) || file == "" {
		return g, nil
	}
	if err != nil {
		return g, err
	}
	return g, json.Unmarshal(data, &g)
}

// words describes a point in one line, with the ratio of the last measurement.
func (p point) words(w workload, before growth) string {
	text := fmt.Sprintf("%-20s %7d %-11s ratio %5.2f  ours %6.2f s  dlv %6.2f s", w.name, p.Size, w.unit, p.ratio(), p.Ours, p.Theirs)
	for _, c := range before.Curves {
		i := slices.IndexFunc(c.Points, func(old point) bool { return old.Size == p.Size })
		if c.Name == w.name && i >= 0 {
			text += fmt.Sprintf("  before %.2f", c.Points[i].ratio())
		}
	}
	return text
}

// ratio is that to dlv, or where it has nothing of the kind the figure itself.
func (p point) ratio() float64 {
	if p.Theirs == 0 {
		return p.Ours
	}
	return p.Ours / p.Theirs
}

// point builds the program and has both tools work on it.
func (w workload) point(dir, tool string, size int) (point, error) {
	p := point{Size: size}
	files := map[string]string{"go.mod": "module example.org/perf\n\ngo 1.26\n", "main.go": w.program(size)}
	if w.script != nil {
		files["script"] = w.script(size) + "exit\n"
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return p, err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return p, err
		}
	}
	if err := goCommand(dir, "build", "-gcflags=-N -l", "-o", "target", "."); err != nil {
		return p, err
	}
	made, err := w.measure(dir, tool)
	made.Size = size
	return made, err
}
