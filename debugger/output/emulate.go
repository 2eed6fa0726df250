package output

// Emulate has the buffer emulate a terminal of a size, in cells, for a program
// that draws in it: one that uses the alternate screen or moves the cursor to
// other lines. What such a program asks of its terminal is answered by answer,
// which must not wait. Call it before the first Write, and End in the end.
func (b *Buffer) Emulate(cols, rows int, answer func(string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drawing = &drawing{answer: answer, seed: b.seed}
	b.drawing.resize(cols, rows)
}

// draw takes what the program printed. What it draws on the alternate screen is
// not kept in rows: it has none.
func (b *Buffer) draw(p []byte) {
	d := b.drawing
	d.shown = nil
	if d.over {
		b.print(p)
		return
	}
	d.split.split(p, func(piece []byte) {
		if d.over || d.take(piece) {
			b.print(piece)
		}
	})
}

// Draws reports whether the output is of a program that draws: in rows it would be
// fragments of a screen.
func Draws(output []byte) bool {
	draws := false
	var s splitter
	s.split(output, func(piece []byte) {
		if !draws && piece[0] == esc {
			on, off := switchesScreen(piece)
			draws = on || off || addresses(piece)
		}
	})
	return draws
}

// Screen is what the program draws; false for one that prints lines, and after
// its end.
func (b *Buffer) Screen() (Screen, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drawing == nil {
		return Screen{}, false
	}
	s := b.drawing.screen()
	if s == nil {
		return Screen{}, false
	}
	return *s, true
}

// Draws reports whether the program draws on a screen: Screen returns it.
func (b *Buffer) Draws() bool {
	_, draws := b.Screen()
	return draws
}

// Resize changes the size of the emulated terminal, within bounds.
func (b *Buffer) Resize(cols, rows int) {
	b.mu.Lock()
	if d := b.drawing; d != nil && !d.over {
		d.resize(cols, rows)
		d.shown = nil
		b.version++
	}
	b.mu.Unlock()
	if b.notify != nil {
		b.notify()
	}
}

// End ends the emulation: the program has ended. What it leaves on its screen becomes
// rows.
func (b *Buffer) End() {
	b.mu.Lock()
	if d := b.drawing; d != nil && !d.over {
		b.print(d.split.pending)
		rest := d.remains()
		b.redrawn()
		d.end()
		b.print(rest)
		b.version++
	}
	b.mu.Unlock()
}
