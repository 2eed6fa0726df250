package world

var (
	Fists = &Weapon{Name: "fists", Bite: 1, Reach: 1}
	Claws = &Weapon{Name: "claws", Bite: 4, Reach: 1}
	Bow   = &Weapon{Name: "bow", Bite: 3, Reach: 4}
)

func NewHero(name string, at Pos) *Actor {
	return &Actor{Pos: at, Body: Body{30, 30}, Name: name, Weapon: Bow}
}

func NewRat(at Pos, foe *Actor) *Actor {
	return &Actor{Pos: at, Body: Body{3, 3}, Name: "rat", Weapon: Fists, Foe: foe}
}

func NewTroll(at Pos, foe *Actor) Troll {
	return Troll{
		Actor: &Actor{
			Pos:  at,
			Body: Body{HP: 14, MaxHP: 14},
			Name: "troll",
			Foe:  foe,
		},
		Regen: 1,
	}
}
