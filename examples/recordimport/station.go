package main

import "fmt"

// Record is one object of the export, before anything is known about it.
type Record map[string]any

// What stands in for a key that a record does not have.
const (
	defaultInterval float64 = 60 // minutes
	defaultUnit             = "°C"
)

// Station is a record that was read.
type Station struct {
	Name     string
	Unit     string
	Interval float64 // minutes between two readings
}

// String is a line for people.
func (s Station) String() string {
	return fmt.Sprintf("%-8s in %-3s every %3.0f minutes", s.Name, s.Unit, s.Interval)
}

// NewStation reads a record. Only its name has to be there.
func NewStation(rec Record) Station {
	name := rec["name"].(string)
	return Station{Name: name, Unit: unitOf(rec), Interval: intervalOf(rec)}
}

// unitOf returns the unit of a station's readings.
func unitOf(rec Record) string {
	unit, ok := rec["unit"].(string)
	if !ok {
		unit = defaultUnit
	}
	return unit
}

// intervalOf returns the minutes between two readings.
func intervalOf(rec Record) float64 {
	interval := rec["interval"].(float64)
	return max(interval, 1)
}
