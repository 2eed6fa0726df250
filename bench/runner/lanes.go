package runner

import (
	"context"
	"errors"
	"sync"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/llm"
)

// lanes hands out the places where models are asked, each to so many cells at a
// time as it can take.
type lanes struct {
	models map[string]Model
	mu     sync.Mutex
	used   map[string]int
	lost   map[[2]string]bool // model and lane: it has the model no more, or does not answer
	freed  chan struct{}      // closed, and made again, when a place gets free
}

func newLanes(models map[string]Model) *lanes {
	return &lanes{models: models, used: map[string]int{}, lost: map[[2]string]bool{}, freed: make(chan struct{})}
}

// next finds the first cell that can be run now, and takes its lane, nil for
// one that needs none; -1 where all lanes are taken.
func (l *lanes) next(p matrix.Plan, cells []matrix.Cell) (int, *Lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	full := map[string]bool{}
	for i, c := range cells {
		name := p.Columns[c.Column].Model
		if full[name] {
			continue
		}
		m, ok := l.models[name]
		if !ok {
			return i, nil
		}
		if lane := l.least(name, m.Lanes); lane != nil {
			l.used[lane.Name]++
			return i, lane
		}
		full[name] = true
	}
	return -1, nil
}

// least is the lane with the fewest cells that can take one more; nil without
// one. Lost lanes are used where there is no other: their errors say why.
func (l *lanes) least(model string, list []Lane) *Lane {
	var best *Lane
	any := l.left(model) == 0
	for i := range list {
		n := l.used[list[i].Name]
		if l.lost[[2]string{model, list[i].Name}] && !any {
			continue
		}
		if (list[i].Limit == 0 || n < list[i].Limit) && (best == nil || n < l.used[best.Name]) {
			best = &list[i]
		}
	}
	return best
}

// left is how many lanes of a model are not lost.
func (l *lanes) left(model string) int {
	n := 0
	for _, lane := range l.models[model].Lanes {
		if !l.lost[[2]string{model, lane.Name}] {
			n++
		}
	}
	return n
}

// lose takes a lane away from a model because of an error that all of its cells
// would get there; true where another lane is left for them.
func (l *lanes) lose(model string, lane *Lane, err error) bool {
	if lane == nil || !errors.Is(err, llm.ErrUnknownModel) && !errors.Is(err, llm.ErrUnavailable) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost[[2]string{model, lane.Name}] = true
	return l.left(model) > 0
}

func (l *lanes) free(lane *Lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if lane != nil {
		l.used[lane.Name]--
	}
	close(l.freed)
	l.freed = make(chan struct{})
}

// wait waits until a place gets free.
func (l *lanes) wait(ctx context.Context) {
	l.mu.Lock()
	freed := l.freed
	l.mu.Unlock()
	select {
	case <-freed:
	case <-ctx.Done():
	}
}
