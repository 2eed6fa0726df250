package builtin

func (f *fixer) nilDereference() {}
func (f *fixer) sliceBounds() {}
func (f *fixer) typeAssertion() {}
func (f *fixer) closedChannel() {}
func (f *fixer) negativeWaitGroup() {}
func (f *fixer) negativeSize() {}
func (f *fixer) unlockUnlocked() {}
