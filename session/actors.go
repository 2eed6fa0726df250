package session

// The names of who acts, for Event.Actor.
const (
	EngineActor = "engine"
	PersonActor = "person" // at the keyboard of a session that is not shared
)
