package flags

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/ui/theme"
)

// Screen says how a session is shown.
type Screen struct {
	Share
	Theme          string
	Plain, NoColor bool
}

// Register adds the flags.
func (f *Screen) Register(s *pflag.FlagSet) {
	s.StringVar(&f.Theme, "theme", "", "show the theme `NAME`: "+strings.Join(theme.Names(), ", "))
	s.BoolVar(&f.Plain, "plain", false, "use lines instead of a full screen: for screen readers, scripts and pipes")
	f.registerColor(s)
	f.Share.Register(s)
}

func (f *Screen) registerColor(s *pflag.FlagSet) {
	s.BoolVar(&f.NoColor, "no-color", false, "use no colors (also NO_COLOR)")
}

// Share says who else may take part in a session.
type Share struct {
	Addr      string
	KeyFile   string
	Guests    int
	TwoPerson bool
	Listen    string
	Agents    bool
	MayApply  bool
}

// Register adds the flags.
func (f *Share) Register(s *pflag.FlagSet) {
	s.StringVar(&f.Addr, "share", "", "let colleagues join over ssh at `ADDR` (default a free port on 127.0.0.1), or through a host that both of you\nreach by ssh, as user@relay; you admit each")
	s.Lookup("share").NoOptDefVal = "127.0.0.1:0"
	s.StringVar(&f.KeyFile, "share-keys", "", "admit guests whose key is in `FILE` (format of authorized_keys), instead of asking for an invitation code")
	s.IntVar(&f.Guests, "share-guests", 8, "let at most `N` others take part at a time, up to 200")
	s.StringVar(&f.Listen, "listen", "", "serve editors (Debug Adapter Protocol) at `ADDR`: a port of 127.0.0.1, or unix:PATH; you admit each")
	s.BoolVar(&f.Agents, "agents", false, "let your coding agents join with pausetui mcp; you admit each")
	s.BoolVar(&f.MayApply, "agent-may-apply", false, "agents may apply verified fixes without approval")
	s.BoolVar(&f.TwoPerson, "two-person", false, "in a shared session, an edit must be approved by someone other than its author")
}
