package main

import (
	"errors"
	"fmt"
	"sync"
)

var (
	ErrNoAccount = errors.New("no such account")
	ErrFunds     = errors.New("insufficient funds")
	ErrFrozen    = errors.New("account frozen")
)

type Account struct {
	Owner   string
	Balance int64
	Frozen  bool
}

type Entry struct {
	Seq      int
	From, To string
	Amount   int64
	Err      error
}

type Ledger struct {
	mu       sync.Mutex
	accounts map[string]*Account
	journal  []Entry
}

func NewLedger() *Ledger {
	return &Ledger{accounts: make(map[string]*Account)}
}

func (l *Ledger) Open(owner string, initial int64) {
	l.mu.Lock()
	l.accounts[owner] = &Account{Owner: owner, Balance: initial}
	l.mu.Unlock()
}

func (l *Ledger) Freeze(owner string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	a, ok := l.accounts[owner]
	if !ok {
		return fmt.Errorf("freeze %s: %w", owner, ErrNoAccount)
	}
	a.Frozen = true
	return nil
}

func (l *Ledger) note(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.Seq = len(l.journal) + 1
	l.journal = append(l.journal, e)
}

func (l *Ledger) Transfer(from, to string, amount int64) (err error) {
	defer func() {
		l.note(Entry{From: from, To: to, Amount: amount, Err: err})
	}()

	l.mu.Lock()
	defer l.mu.Unlock()

	src, ok := l.accounts[from]
	if !ok {
		return fmt.Errorf("%s: %w", from, ErrNoAccount)
	}
	dst, ok := l.accounts[to]
	if !ok {
		return fmt.Errorf("%s: %w", to, ErrNoAccount)
	}
	if src.Frozen || dst.Frozen {
		return ErrFrozen
	}
	if src.Balance < amount {
		l.mu.Unlock()
		return fmt.Errorf("%s has %d, needs %d: %w", from, src.Balance, amount, ErrFunds)
	}
	src.Balance -= amount
	dst.Balance += amount
	return nil
}

func (l *Ledger) Each(f func(*Account)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range sortedKeys(l.accounts) {
		f(l.accounts[name])
	}
}
