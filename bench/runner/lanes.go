package runner

import (
	"context"
	"sync"

	"github.com/pausetui/pausetui/bench/matrix"
)

// lanes hands out the places where models are asked, each to so many cells at a
// time as it can take.
type lanes struct {
	models map[string]Model
	mu     sync.Mutex
	used   map[string]int
	freed  chan struct{} // closed, and made again, when a place gets free
}

func newLanes(models map[string]Model) *lanes {
	return &lanes{models: models, used: map[string]int{}, freed: make(chan struct{})}
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
		if lane := l.least(m.Lanes); lane != nil {
			l.used[lane.Name]++
			return i, lane
		}
		full[name] = true
	}
	return -1, nil
}

// least is the lane with the fewest cells that can take one more; nil without
// one.
func (l *lanes) least(list []Lane) *Lane {
	var best *Lane
	for i := range list {
		n := l.used[list[i].Name]
		if (list[i].Limit == 0 || n < list[i].Limit) && (best == nil || n < l.used[best.Name]) {
			best = &list[i]
		}
	}
	return best
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
