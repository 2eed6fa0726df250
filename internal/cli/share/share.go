// Package share lets others join a session: colleagues over SSH, editors, and coding
// agents on this machine.
package share

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/ssh"
	"github.com/pausetui/pausetui/ui"
	"github.com/pausetui/pausetui/ui/options"
)

// Sharing is a session with its room and its doors.
type Sharing struct {
	flags    flags.Share
	settings config.Config
	profiles []string // names, which screens complete
	Room     *pair.Room

	mu     sync.Mutex // guards all below
	server *ssh.Server
	relays context.CancelFunc // ends the connection to a relay; nil without one
	doors  []*Door            // of editors and agents
	left   map[string]bool    // editors that may come back, and whether they drove
}

// New makes a room of a session; only the host is in it.
func New(e *engine.Engine, f flags.Share, settings config.Config, profiles []string) *Sharing {
	sh := &Sharing{flags: f, settings: settings, profiles: profiles, Room: pair.New(e, pair.Options{Host: UserName(), Most: f.Guests, TwoPerson: f.TwoPerson, MayApply: f.MayApply})}
	sh.Room.SetDoors(sh)
	return sh
}

// UserName is what the person is called on this machine.
func UserName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// Open opens the doors that the flags ask for.
func (sh *Sharing) Open() error {
	if sh.flags.KeyFile != "" && sh.flags.Addr == "" {
		return cli.UsageError(errors.New("--share-keys says who may join: give --share too"))
	}
	if n := sh.flags.Guests; sh.flags.Addr != "" && (n < 1 || n > 200) {
		return cli.UsageError(fmt.Errorf("--share-guests %d: from 1 to 200", n))
	}
	if sh.flags.Agents {
		if err := sh.letAgentsIn(); err != nil {
			return err
		}
	}
	if sh.flags.Listen != "" {
		if err := sh.letEditorsIn(sh.flags.Listen); err != nil {
			return err
		}
	}
	if sh.flags.Addr == "" {
		return nil
	}
	return sh.Share(sh.flags.Addr)
}

// Share implements pair.Doors.
func (sh *Sharing) Share(addr string) error {
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
	server, err := ssh.Open(ssh.Options{Room: sh.Room, Addr: addr, HostKey: hostKeyPath(), Keys: sh.flags.KeyFile, Show: sh.show})
	if err != nil {
		return err
	}
	if host != "" {
		if err := sh.through(host, server); err != nil {
			return errors.Join(err, server.Close())
		}
	}
	sh.server = server
	sh.Room.Open(server.Door())
	return nil
}

// through has a server reached through a relay.
func (sh *Sharing) through(host string, server *ssh.Server) error {
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
func (sh *Sharing) Unshare() { sh.End(pair.ErrUnshared) }

// Invite implements pair.Doors.
func (sh *Sharing) Invite() {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.server != nil {
		sh.server.Invite()
	}
}

// End tells all others why their part is over, and closes the doors.
func (sh *Sharing) End(why error) {
	sh.Room.Shut(why)
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
		d.Close()
	}
	sh.doors = nil
}

// show shows the session to a guest, on their terminal.
func (sh *Sharing) show(ctx context.Context, g ssh.Guest) error {
	formats, err := sh.settings.Format()
	if err != nil { // the configuration was checked
		return err
	}
	o := options.Screen{Version: cli.Version(), Formats: formats, Input: g.Input, Output: g.Output, FPS: 30, Deaf: cli.Deaf, Seat: g.Seat, Clock: time.Now, Profiles: sh.profiles,
		Remote: &options.Remote{Environ: g.Environ, Size: g.Size, Resized: g.Resized}}
	return ui.Run(ctx, g.Seat, o)
}
