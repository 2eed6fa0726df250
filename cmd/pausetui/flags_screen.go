package main

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/ui/theme"
)

// screenFlags say how a session is shown.
type screenFlags struct {
	shareFlags
	theme          string
	plain, noColor bool
}

func (f *screenFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.theme, "theme", "", "show the theme `NAME`: "+strings.Join(theme.Names(), ", "))
	s.BoolVar(&f.plain, "plain", false, "use lines instead of a full screen: for screen readers, scripts and pipes")
	f.registerColor(s)
	f.shareFlags.register(s)
}

func (f *screenFlags) registerColor(s *pflag.FlagSet) {
	s.BoolVar(&f.noColor, "no-color", false, "use no colors (also NO_COLOR)")
}

// shareFlags say who else may take part in a session.
type shareFlags struct {
	addr      string
	keyFile   string
	guests    int
	twoPerson bool
	listen    string
	agents    bool
	mayApply  bool
}

func (f *shareFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.addr, "share", "", "let colleagues join over ssh at `ADDR` (default a free port on 127.0.0.1), or through a host that both of you\nreach by ssh, as user@relay; you admit each")
	s.Lookup("share").NoOptDefVal = "127.0.0.1:0"
	s.StringVar(&f.keyFile, "share-keys", "", "admit guests whose key is in `FILE` (format of authorized_keys), instead of asking for an invitation code")
	s.IntVar(&f.guests, "share-guests", 8, "let at most `N` others take part at a time, up to 200")
	s.StringVar(&f.listen, "listen", "", "serve editors (Debug Adapter Protocol) at `ADDR`: a port of 127.0.0.1, or unix:PATH; you admit each")
	s.BoolVar(&f.agents, "agents", false, "let your coding agents join with pausetui mcp; you admit each")
	s.BoolVar(&f.mayApply, "agent-may-apply", false, "agents may apply verified fixes without approval")
	s.BoolVar(&f.twoPerson, "two-person", false, "in a shared session, an edit must be approved by someone other than its author")
}
