package main

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/ssh"
	"github.com/pausetui/pausetui/ui"
)

// shareFlags say who else may take part in a session.
type shareFlags struct {
	share     string
	shareKeys string
	guests    int
	twoPerson bool
	listen    string
	agents    bool
	mayApply  bool
}

func (f *shareFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.share, "share", "", "let colleagues join over ssh at `ADDR` (default a free port on 127.0.0.1), or through a host that both of you\nreach by ssh, as user@relay; you admit each")
	s.Lookup("share").NoOptDefVal = "127.0.0.1:0"
	s.StringVar(&f.shareKeys, "share-keys", "", "admit guests whose key is in `FILE` (format of authorized_keys), instead of asking for an invitation code")
	s.IntVar(&f.guests, "share-guests", 8, "let at most `N` others take part at a time, up to 200")
	s.StringVar(&f.listen, "listen", "", "serve editors (Debug Adapter Protocol) at `ADDR`: a port of 127.0.0.1, or unix:PATH; you admit each")
	s.BoolVar(&f.agents, "agents", false, "let your coding agents join with pausetui mcp; you admit each")
	s.BoolVar(&f.mayApply, "agent-may-apply", false, "agents may apply verified fixes without approval")
	s.BoolVar(&f.twoPerson, "two-person", false, "in a shared session, an edit must be approved by someone other than its author")
}

// sharing is a session with its room and its doors.
type sharing struct {
	front *frontend
	setup setup
	room  *pair.Room

	mu     sync.Mutex // guards all below
	server *ssh.Server
	relays context.CancelFunc // ends the connection to a relay; nil without one
	doors  []*door            // of editors and agents
	left   map[string]bool    // editors that may come back, and whether they drove
}

// newSharing makes a room of a session; only the host is in it.
func newSharing(f *frontend, e *engine.Engine, s setup) *sharing {
	sh := &sharing{front: f, setup: s, room: pair.New(e, pair.Options{Host: userName(), Most: f.guests, TwoPerson: f.twoPerson, MayApply: f.mayApply})}
	sh.room.SetDoors(sh)
	return sh
}

// userName is what the person is called on this machine.
func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// open opens the doors that the flags ask for.
func (sh *sharing) open() error {
	if sh.front.shareKeys != "" && sh.front.share == "" {
		return usageError(errors.New("--share-keys says who may join: give --share too"))
	}
	if n := sh.front.guests; sh.front.share != "" && (n < 1 || n > 200) {
		return usageError(fmt.Errorf("--share-guests %d: from 1 to 200", n))
	}
	if sh.front.agents {
		if err := sh.letAgentsIn(); err != nil {
			return err
		}
	}
	if sh.front.listen != "" {
		if err := sh.letEditorsIn(sh.front.listen); err != nil {
			return err
		}
	}
	if sh.front.share == "" {
		return nil
	}
	return sh.Share(sh.front.share)
}

// Share implements pair.Doors.
func (sh *sharing) Share(addr string) error {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.server != nil {
		if addr == "" {
			return nil
		}
		return fmt.Errorf("the session is already shared, at %s: unshare ends that", sh.server.Addr())
	}
	host := ""
	if isRelay(addr) {
		host, addr = addr, ""
	}
	server, err := ssh.Open(ssh.Options{Room: sh.room, Addr: addr, HostKey: hostKeyPath(), Keys: sh.front.shareKeys, Show: sh.show})
	if err != nil {
		return err
	}
	if host != "" {
		if err := sh.through(host, server); err != nil {
			return errors.Join(err, server.Close())
		}
	}
	sh.server = server
	sh.room.Open(server.Door())
	return nil
}

// through has a server reached through a relay.
func (sh *sharing) through(host string, server *ssh.Server) error {
	ctx, cancel := context.WithCancel(context.Background())
	r, err := openRelay(ctx, host, server.Addr())
	if err != nil {
		cancel()
		return err
	}
	sh.relays = cancel
	server.Through(r.line())
	go r.watch(ctx, server.Withdraw) // ends with the sharing
	return nil
}

// hostKeyPath is the file of the key by which colleagues know this machine.
func hostKeyPath() string { return filepath.Join(xdg.StateHome, "pausetui", "ssh_host_ed25519_key") }

// Unshare implements pair.Doors.
func (sh *sharing) Unshare() { sh.end(pair.ErrUnshared) }

// Invite implements pair.Doors.
func (sh *sharing) Invite() {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.server != nil {
		sh.server.Invite()
	}
}

// end tells all others why their part is over, and closes the doors.
func (sh *sharing) end(why error) {
	sh.room.Shut(why)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.relays != nil {
		sh.relays()
		sh.relays = nil
	}
	if sh.server != nil {
		_ = sh.server.Close() // its listener is gone in any case
		sh.server = nil
	}
	for _, d := range sh.doors {
		d.close()
	}
	sh.doors = nil
}

// show shows the session to a guest, on their terminal.
func (sh *sharing) show(ctx context.Context, g ssh.Guest) error {
	formats, err := sh.setup.settings.Format()
	if err != nil { // the configuration was checked
		return err
	}
	o := ui.Options{Version: versionText(), Formats: formats, Input: g.Input, Output: g.Output, FPS: 30, Deaf: deaf, Seat: g.Seat, Clock: time.Now,
		Remote: &ui.Remote{Environ: g.Environ, Size: g.Size, Resized: g.Resized}}
	for _, p := range sh.setup.options.Fixes.Profiles {
		o.Profiles = append(o.Profiles, p.Name)
	}
	return ui.Run(ctx, g.Seat, o)
}
