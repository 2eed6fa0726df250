package world

import "fmt"

type Pos struct{ X, Y int }

func (p Pos) Dist(q Pos) int { return abs(p.X-q.X) + abs(p.Y-q.Y) }

func (p *Pos) StepTo(q Pos) {
	switch {
	case p.X < q.X:
		p.X++
	case p.X > q.X:
		p.X--
	case p.Y < q.Y:
		p.Y++
	case p.Y > q.Y:
		p.Y--
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

type Body struct {
	HP, MaxHP int
}

func (b *Body) Hurt(n int)   { b.HP = max(0, b.HP-n) }
func (b *Body) Dead() bool   { return b.HP == 0 }
func (b *Body) Heal(n int)   { b.HP = min(b.MaxHP, b.HP+n) }
func (b Body) Gauge() string { return fmt.Sprintf("%d/%d", b.HP, b.MaxHP) }

type Weapon struct {
	Name  string
	Bite  int
	Reach int
}

type Actor struct {
	Pos
	Body
	Name   string
	Weapon *Weapon
	Foe    *Actor
}

type Troll struct {
	*Actor
	Regen int
}

func (t Troll) Tick() {
	if !t.Dead() {
		t.Heal(t.Regen)
	}
}

func (a *Actor) Act() string {
	if a.Dead() || a.Foe.Dead() {
		return ""
	}
	if d := a.Dist(a.Foe.Pos); d > a.Weapon.Reach {
		a.StepTo(a.Foe.Pos)
		return fmt.Sprintf("%s moves to %d,%d", a.Name, a.X, a.Y)
	}
	a.Foe.Hurt(a.Weapon.Bite)
	return fmt.Sprintf("%s hits %s with %s (%s)", a.Name, a.Foe.Name, a.Weapon.Name, a.Foe.Gauge())
}
