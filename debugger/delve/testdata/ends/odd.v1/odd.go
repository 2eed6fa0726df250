// Package odd has a dot in its path, which the linker escapes.
package odd

// Shape is a type with a method.
type Shape struct{ Sides []int }

// Last panics where there are no sides.
func (s *Shape) Last() int {
	again := Last
	_ = again
	return s.Sides[len(s.Sides)-1]
}

// Last is that of a shape without sides.
func Last() int { return (&Shape{}).Last() }
