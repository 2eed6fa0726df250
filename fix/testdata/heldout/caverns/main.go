package main

import (
	"fmt"

	w "example.org/caverns/internal/world"
)

type ticker interface{ Tick() }

type game struct {
	turn    int
	hero    *w.Actor
	mobs    []*w.Actor
	tickers []ticker
}

func (g *game) load(level []string) {
	var spawn []func()
	for y, row := range level {
		for x, c := range row {
			at := w.Pos{X: x, Y: y}
			switch c {
			case '@':
				g.hero = w.NewHero("Brynn", at)
			case 'r':
				spawn = append(spawn, func() { g.mobs = append(g.mobs, w.NewRat(at, g.hero)) })
			case 'T':
				spawn = append(spawn, func() {
					t := w.NewTroll(at, g.hero)
					g.mobs = append(g.mobs, t.Actor)
					g.tickers = append(g.tickers, t)
				})
			}
		}
	}
	for _, f := range spawn {
		f()
	}
}

func (g *game) nearest() (best *w.Actor) {
	for _, m := range g.mobs {
		if m.Dead() {
			continue
		}
		if best == nil || g.hero.Dist(m.Pos) < g.hero.Dist(best.Pos) {
			best = m
		}
	}
	return best
}

func (g *game) say(s string) {
	if s != "" {
		fmt.Printf("%3d  %s\n", g.turn, s)
	}
}

func (g *game) step() bool {
	g.turn++
	target := g.nearest()
	if target == nil || g.hero.Dead() {
		return false
	}
	g.hero.Foe = target
	g.say(g.hero.Act())
	for _, m := range g.mobs {
		g.say(m.Act())
	}
	for _, t := range g.tickers {
		t.Tick()
	}
	return true
}

func main() {
	g := &game{}
	g.load([]string{
		"..........",
		".@...r....",
		"..........",
		".......T..",
	})
	for g.turn < 60 && g.step() {
	}
	if g.hero.Dead() {
		fmt.Println(g.hero.Name, "fell")
		return
	}
	fmt.Println(g.hero.Name, "survives with", g.hero.Gauge())
}
