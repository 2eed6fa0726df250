package frames

import (
	"testing"
	"testing/synctest"
	"time"
)

// paced is a pace with a ticker of its own.
func paced() (*Pace, *time.Ticker) {
	const frame = 16 * time.Millisecond
	t := time.NewTicker(frame)
	return &Pace{ticker: func() *time.Ticker { return t }, frame: frame}, t
}

func TestAnAnswerIsDrawnSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ticker := paced()
		defer ticker.Stop()
		next := func() time.Duration {
			began := time.Now()
			<-ticker.C
			return time.Since(began)
		}
		p.Drawn()
		if d := next(); d != p.frame {
			t.Errorf("what changes by itself is drawn after %v", d)
		}
		p.Answer()
		p.Drawn()
		if d := next(); d != soon {
			t.Errorf("an answer is drawn after %v", d)
		}
		p.Painted()
		time.Sleep(answering)
		p.Drawn()
		<-ticker.C // one was due
		if d := next(); d > p.frame || d < p.frame/2 {
			t.Errorf("what changes later is drawn after %v", d)
		}
	})
}

func TestATickNobodyHasSeenIsNotTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ticker := paced()
		defer ticker.Stop()
		p.Answer()
		p.Drawn()
		time.Sleep(10 * soon) // the renderer waits for a processor
		p.Drawn()
		began := time.Now()
		<-ticker.C
		if d := time.Since(began); d != 0 {
			t.Errorf("the answer is drawn %v later", d)
		}
		p.Painted() // it was under way already, without the answer
		p.Drawn()
		<-ticker.C
		if d := time.Since(began); d != soon {
			t.Errorf("the answer is drawn %v later", d)
		}
		p.Painted()
		p.Drawn()
		<-ticker.C
		if d := time.Since(began); d != soon+p.frame {
			t.Errorf("the frame after it is drawn after %v", d)
		}
	})
}

func TestWhatFollowsAnAnswerKeepsNoKeyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ticker := paced()
		defer ticker.Stop()
		p.Answer()
		p.Drawn()
		<-ticker.C
		p.Painted()
		time.Sleep(p.frame + time.Millisecond)
		p.Drawn() // a proof's progress
		<-ticker.C
		p.Painted()
		p.Painted()
		p.Answer()
		p.Drawn()
		began := time.Now()
		<-ticker.C
		if d := time.Since(began); d > soon {
			t.Errorf("the second answer is drawn after %v", d)
		}
	})
}

func TestASlowTerminalTakesNoTickBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ticker := paced()
		defer ticker.Stop()
		p.Answer()
		p.Drawn()
		time.Sleep(p.frame + p.frame/2) // the renderer writes what came before
		began := time.Now()
		<-ticker.C
		if d := time.Since(began); d != 0 {
			t.Errorf("the answer is drawn %v later", d)
		}
		time.Sleep(answering + p.frame)
		<-ticker.C // one was due
		<-ticker.C
		began = time.Now()
		<-ticker.C
		if d := time.Since(began); d != p.frame {
			t.Errorf("looked again after %v", d)
		}
	})
}

// drawnIn counts the frames of some milliseconds, in each of which something is done.
func drawnIn(p *Pace, ticker *time.Ticker, milliseconds int, do func()) int {
	count := 0
	for range milliseconds {
		do()
		time.Sleep(time.Millisecond)
		select {
		case <-ticker.C:
			count++
			p.Painted()
		default:
		}
	}
	return count
}

func TestKeysThatComeFastMakeNoMoreFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ticker := paced()
		defer ticker.Stop()
		frames := drawnIn(p, ticker, 160, func() {
			p.Answer()
			p.Drawn()
		})
		if frames < 10 || frames > 22 {
			t.Errorf("%d frames in ten frames' time", frames)
		}
	})
}

func TestManyViewsDoNotPutOffTheFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ticker := paced()
		defer ticker.Stop()
		frames := drawnIn(p, ticker, 100, p.Drawn)
		if frames != 6 {
			t.Errorf("%d frames in 100 ms", frames)
		}
	})
}

func TestAScreenAtRestIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ticker := paced()
		defer ticker.Stop()
		p.Drawn()
		time.Sleep(quiet / 2)
		p.Drawn()
		for range 2 {
			time.Sleep(2 * quiet)
			<-ticker.C // one that was due
			began := time.Now()
			<-ticker.C
			if d := time.Since(began); d > rest || d < rest/2 {
				t.Errorf("looked again after %v", d)
			}
			began = time.Now()
			p.Drawn()
			<-ticker.C
			if d := time.Since(began); d > p.frame {
				t.Errorf("drawn %v after the rest", d)
			}
		}
	})
}
