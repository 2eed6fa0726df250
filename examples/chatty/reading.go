package main

import "strconv"

// stations are the places that are measured, in turn.
var stations = []string{"harbour", "airport", "ridge", "old town", "reservoir"}

// Reading is one measurement.
type Reading struct {
	Number  int // from 0
	Station string
	Tenths  int // of a degree Celsius
	Wind    int // in km/h
}

// At returns the reading with the given number. The values look like weather
// and are the same in every run.
func At(number int) Reading {
	noise := mix(uint32(number))
	return Reading{
		Number:  number,
		Station: stations[number%len(stations)],
		Tenths:  int(noise%450) - 120,
		Wind:    int(noise >> 16 % 90),
	}
}

// mix spreads the bits of x (the finaliser of MurmurHash3).
func mix(x uint32) uint32 {
	x ^= x >> 16
	x *= 0x85ebca6b
	x ^= x >> 13
	x *= 0xc2b2ae35
	return x ^ x>>16
}

// Append adds the reading's line to b, without the newline.
func (r Reading) Append(b []byte) []byte {
	b = append(b, '#')
	b = strconv.AppendInt(b, int64(r.Number), 10)
	b = append(b, ' ')
	b = append(b, r.Station...)
	b = append(b, " temperature="...)
	b = appendTenths(b, r.Tenths)
	b = append(b, "C wind="...)
	b = strconv.AppendInt(b, int64(r.Wind), 10)
	return append(b, "km/h"...)
}

// String is the reading's line.
func (r Reading) String() string { return string(r.Append(nil)) }

// appendTenths adds a number of tenths with its decimal point.
func appendTenths(b []byte, tenths int) []byte {
	if tenths < 0 {
		b = append(b, '-')
		tenths = -tenths
	}
	b = strconv.AppendInt(b, int64(tenths/10), 10)
	b = append(b, '.')
	return strconv.AppendInt(b, int64(tenths%10), 10)
}
