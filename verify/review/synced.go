package review

// syncPackage declares what package sync does, so that calls of its methods resolve.
const syncPackage = `package sync

type Locker interface { Lock(); Unlock() }

type Mutex struct{ state int32 }
func (*Mutex) Lock() {}
func (*Mutex) Unlock() {}
func (*Mutex) TryLock() (ok bool) { return }

type RWMutex struct{ w Mutex }
func (*RWMutex) Lock() {}
func (*RWMutex) Unlock() {}
func (*RWMutex) TryLock() (ok bool) { return }
func (*RWMutex) RLock() {}
func (*RWMutex) RUnlock() {}
func (*RWMutex) TryRLock() (ok bool) { return }
func (*RWMutex) RLocker() (l Locker) { return }

type WaitGroup struct{ state int32 }
func (*WaitGroup) Add(delta int) {}
func (*WaitGroup) Done() {}
func (*WaitGroup) Wait() {}
func (*WaitGroup) Go(f func()) {}

type Cond struct{ L Locker }
func NewCond(l Locker) (c *Cond) { return }
func (*Cond) Wait() {}
func (*Cond) Signal() {}
func (*Cond) Broadcast() {}

type Once struct{ state int32 }
func (*Once) Do(f func()) {}
func OnceFunc(f func()) (g func()) { return }
func OnceValue[T any](f func() T) (g func() T) { return }
func OnceValues[T, U any](f func() (T, U)) (g func() (T, U)) { return }

type Pool struct{ New func() any }
func (*Pool) Get() (v any) { return }
func (*Pool) Put(v any) {}

type Map struct{ state int32 }
func (*Map) Load(key any) (v any, ok bool) { return }
func (*Map) Store(key, v any) {}
func (*Map) LoadOrStore(key, v any) (actual any, loaded bool) { return }
func (*Map) LoadAndDelete(key any) (v any, loaded bool) { return }
func (*Map) Delete(key any) {}
func (*Map) Swap(key, v any) (previous any, loaded bool) { return }
func (*Map) CompareAndSwap(key, old, v any) (swapped bool) { return }
func (*Map) CompareAndDelete(key, old any) (deleted bool) { return }
func (*Map) Range(f func(key, v any) bool) {}
func (*Map) Clear() {}
`

// withSync gives the files of package sync as well.
func withSync(own func(path string) map[string]string) func(path string) map[string]string {
	return func(path string) map[string]string {
		if path == "sync" {
			return map[string]string{"sync.go": syncPackage}
		}
		return own(path)
	}
}
