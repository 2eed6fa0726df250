// Package shapes is another package of the module.
package shapes

import "errors"

// ErrFlat is an error of this package.
var ErrFlat = errors.New("flat")

// Shape has an area.
type Shape interface{ Area() float64 }

// Square is a shape.
type Square struct{ Side float64 }

// Area implements Shape.
func (s Square) Area() float64 { return s.Side * s.Side }

// Circle is a shape, by pointer.
type Circle struct{ Radius float64 }

// Area implements Shape.
func (c *Circle) Area() float64 { return 3 * c.Radius * c.Radius }

// Box holds something.
type Box[T any] struct{ Item T }
