package inspect

import (
	"context"
	"errors"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/waits"
)

// Waits is who waits for what.
type Waits struct {
	Graph waits.Graph
	// Of is the party of each goroutine, by its index; -1 without one.
	Of  []int32
	Cut bool   // not all goroutines were looked at
	Err string // why there is less than there could be
}

const (
	maxAlone = 64 // things that goroutines of one stack wait for, before they count as one party
	sampled  = 40 // goroutines of a stack that are looked at
)

// NeedWaits asks who waits for whom, which takes all goroutines: it asks for
// those first.
func (s *Store) NeedWaits() []Need {
	if needs := s.NeedGoroutines(); len(needs) > 0 || s.goroutine.Waits != nil || s.tag.Stop == 0 || s.goroutine.Recorded || s.pending["waits"] {
		return needs
	}
	all := s.goroutine // complete: it does not change any more
	return []Need{{Key: "waits", Read: func(ctx context.Context, in debugger.Inspector) any { return all.readWaits(ctx, in) }}}
}

func (g *Goroutines) readWaits(ctx context.Context, in debugger.Inspector) *Waits {
	var list []debugger.Wait
	var failed error
	if lister, ok := in.(debugger.WaitLister); ok {
		list, failed = lister.Waits(ctx)
	}
	on := g.objects(list)
	wanted := map[waits.Object]bool{}
	for _, objects := range on {
		for _, o := range objects {
			wanted[o] = true
		}
	}
	facts, err := waits.Read(ctx, in, g.kindreds(), wanted)
	w := g.parties(on, facts)
	w.Err = readError(errors.Join(failed, err))
	return w
}

// kindreds are the goroutines of each kind that may hold something, those of
// the user's first; some of each.
func (g *Goroutines) kindreds() []waits.Kindred {
	of := make([]waits.Kindred, len(g.Kinds))
	for _, r := range g.All {
		if k := g.Kinds[r.Kind]; !k.System && len(of[r.Kind]) < sampled {
			of[r.Kind] = append(of[r.Kind], r.ID)
		}
	}
	return slices.DeleteFunc(of, func(k waits.Kindred) bool { return len(k) == 0 })
}

// partyKey tells parties apart: by their stack, and by what they wait for.
type partyKey struct {
	kind   int32
	on     waits.Object
	second waits.Object // of a select
}

// parties joins goroutines to parties, and those by who has what they wait for.
func (g *Goroutines) parties(on [][]waits.Object, facts waits.Facts) *Waits {
	w := &Waits{Of: make([]int32, len(g.All)), Cut: facts.Cut}
	distinct := make([]map[waits.Object]bool, len(g.Kinds))
	for i, objects := range on {
		if k := g.All[i].Kind; len(objects) > 0 && len(distinct[k]) <= maxAlone {
			if distinct[k] == nil {
				distinct[k] = map[waits.Object]bool{}
			}
			distinct[k][objects[0]] = true
		}
	}
	index := map[partyKey]int32{}
	var parties []waits.Party
	for i, one := range g.All {
		k := g.Kinds[one.Kind]
		if k.System {
			w.Of[i] = -1
			continue
		}
		key := partyKey{kind: one.Kind}
		if alone := len(distinct[one.Kind]) > maxAlone; len(on[i]) > 0 && !alone {
			key.on = on[i][0]
			if len(on[i]) > 1 {
				key.second = on[i][1]
			}
		}
		p, known := index[key]
		if !known {
			p = int32(len(parties))
			index[key] = p
			party := waits.Party{First: one.ID, Reason: k.waits(), Many: len(on[i]) > 0 && key.on == (waits.Object{})}
			if key.on != (waits.Object{}) {
				party.On = on[i]
			}
			parties = append(parties, party)
		}
		parties[p].Count++
		w.Of[i] = p
	}
	w.Graph = waits.NewGraph(parties, facts, func(id debugger.GoroutineID) int {
		if i := g.Index(id); i >= 0 {
			return int(w.Of[i])
		}
		return -1
	})
	return w
}

// objects is what each goroutine waits for.
func (g *Goroutines) objects(list []debugger.Wait) [][]waits.Object {
	on := make([][]waits.Object, len(g.All))
	for i := range g.All {
		for _, c := range g.Channels(i) {
			on[i] = append(on[i], waits.Object{Kind: waits.Channel, Addr: c})
		}
	}
	for _, w := range list {
		if i := g.Index(w.Goroutine); i >= 0 {
			on[i] = append(on[i], waits.OfSemaphore(g.Kinds[g.All[i].Kind].WaitReason, w.Semaphore))
		}
	}
	return on
}
