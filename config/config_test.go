package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/testsupport"
)

var put = testsupport.Write

func TestMistakesAreNamed(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	root := t.TempDir()
	file := filepath.Join(root, ".pausetui", "config.toml")
	put(t, file, "[profiles.x]\nmodl = \"a\"\n")
	_, err := Load(root)
	if err == nil || !strings.Contains(err.Error(), file+":2") || !strings.Contains(advice.Of(err), `"model"`) {
		t.Errorf("err = %v, hint = %q", err, advice.Of(err))
	}
	put(t, file, "[profiles.x\n")
	if _, err := Load(root); err == nil || !strings.Contains(err.Error(), file+":1") {
		t.Errorf("err = %v", err)
	}
}

// mistakes loads and checks one file of the user's.
func mistakes(t *testing.T, text string) (Config, string) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	put(t, UserFile(), text)
	c, err := Load(t.TempDir())
	if err == nil {
		err = c.Check(Known{Prompts: []string{"whole-function", "minimal"}, Providers: []string{"openai"}, Actions: []string{"approve", "ask"},
			Themes: []string{"default", "gruvbox"}, Colors: []string{"stop", "good"}, Color: func(text string) error {
				if text == "red" {
					return errors.New("no color")
				}
				return nil
			}, Keys: func(keys map[string]string) []KeyMistake {
				if keys["ask"] != "Ctrl-F" {
					return nil
				}
				return []KeyMistake{{"ask", "no key", "ctrl+f"}}
			}})
	}
	if err == nil {
		return c, ""
	}
	words := strings.ReplaceAll(err.Error(), UserFile(), "F")
	if hint := advice.Of(err); hint != "" {
		words += " (" + hint + ")"
	}
	return c, words
}

func TestEachMistakeNamesItsPlaceAndTheNearestValue(t *testing.T) {
	for text, want := range map[string]string{
		"[profiles.x]\nmodl = \"a\"\n":                                   `F:2: unknown key "profiles.x.modl" (did you mean "model"?)`,
		"[profils.x]\nmodel = \"a\"\n":                                   `F:1: unknown key "profils" (did you mean "profiles"?)`,
		"[profiles.x]\ntemperature = \"hot\"\n":                          `F:2: profiles.x.temperature: want a number, not the text "hot"`,
		"[profiles.x]\ncandidates = 1.5\n":                               `F:2: profiles.x.candidates: want a whole number, not 1.5`,
		"[profiles.x]\ntemperature = 3\n":                                `F:2: profiles.x.temperature: want a number from 0 to 2, not 3 (did you mean 2?)`,
		"[profiles.x]\nmodel = \"olama/qwen\"\n":                         `F:2: profiles.x.model: there is no provider "olama"; there are ollama, openai (did you mean "ollama/qwen"?)`,
		"[profiles.x]\nmodel = \"qwen\"\n":                               `F:2: profiles.x.model: want PROVIDER/NAME, not "qwen" (did you mean "ollama/qwen"?)`,
		"[profiles.x]\nprompt = \"whole-funktion\"\n":                    `F:2: profiles.x.prompt: there is no prompt profile "whole-funktion" for fixes (did you mean "whole-function"?)`,
		"[providers.work]\nkind = \"opnai\"\n":                           `F:2: providers.work.kind: want one of ollama, openai, replay, not "opnai" (did you mean "openai"?)`,
		"[providers.work]\nbase_url = \"http://127.0.0.1:1/v1\"\n":       `F:1: providers.work.kind: missing; want one of ollama, openai, replay`,
		"[providers.w]\nkind = \"openai\"\nbase_url = \"localhost:1\"\n": `F:3: providers.w.base_url: want a URL such as http://127.0.0.1:8000/v1, not "localhost:1" (did you mean "http://localhost:1"?)`,
		"[models]\nauto = \"yes\"\n":                                     `F:2: models.auto: want true or false, not the text "yes"`,
		"[models]\nprefer = [1]\n":                                       `F:2: models.prefer: want a list of texts such as ["a", "b*"], not a list of other things`,
		"[limits]\nfirst_token = \"soon\"\n":                             `F:2: limits.first_token: want a time above 0 such as "90s" or "5m", not "soon"`,
		"[limits]\nfirst_token = 90\n":                                   `F:2: limits.first_token: want a time such as "90s" or "5m", not 90`,
		"[profiles.x]\ntemperature = nan\n":                              `F:2: profiles.x.temperature: want a number from 0 to 2, not NaN`,
		"[profiles.x]\nprice_in = inf\n":                                 `F:2: profiles.x.price_in: want 0 or more, not +Inf (did you mean 0?)`,
		"[redact]\nnames = [1]\n":                                        `F:2: redact.names: want a list of texts such as ["a", "b*"], not a list of other things`,
		"\ufeff[limits]\r\nmax_rounds = -1\r\n":                          `F:2: limits.max_rounds: want 0 or more, not -1 (did you mean 0?)`,
		"[profiles.x]\ncandidates = -1\ntemperature = -1\n":              "F:2: profiles.x.candidates: want 0 or more, not -1 (did you mean 0?)\nF:3: profiles.x.temperature: want a number from 0 to 2, not -1 (did you mean 0?)",
		"[limits]\nmemory = 8\n":                                         `F:2: limits.memory: want 64 or more, not 8 (did you mean 64?)`,
		"[limits]\nmax_candidates = 0\n":                                 `F:2: limits.max_candidates: want 1 or more, not 0 (did you mean 1?)`,
		"[redact]\nnames = [\"*\"]\n":                                    `F:2: redact.names: "*" matches everything; name something`,
		"[formats]\n\"shop.Money\" = \"{Units}.{Cents:02y}\"\n":          `F:2: formats.shop.Money: "{Cents:02y}" is not a field with a verb, such as {Cents:02d}`,
		"[formats]\n\"shop.Flags\" = \"hexx\"\n":                         `F:2: formats.shop.Flags: "hexx" is neither a template with a {Field} nor one of hide, hex, bin, oct, dec, char, text, dump, fields (did you mean "hex"?)`,
		"[keys]\naprove = \"a\"\n":                                       `F:2: keys.aprove: there is no action "aprove" (did you mean "approve"?)`,
		"[theme]\nname = \"gruvbx\"\n":                                   `F:2: theme.name: there is no theme "gruvbx"; there are default, gruvbox (did you mean "gruvbox"?)`,
		"[theme]\nbackground = \"drak\"\n":                               `F:2: theme.background: there is no background "drak"; there are auto, dark, light (did you mean "dark"?)`,
		"[theme.colors]\nstopp = \"#fff\"\n":                             `F:2: theme.colors.stopp: there is no color "stopp" (did you mean "stop"?)`,
		"[theme.colors]\nstop = \"red\"\n":                               `F:2: theme.colors.stop: no color`,
		"[theme]\ncolor = 1\n":                                           `F:2: unknown key "theme.color" (did you mean "colors"?)`,
		"[notify]\ndesktop = \"osc99\"\n":                                `F:2: notify.desktop: there is no desktop notice "osc99"; there are auto, osc9, osc777, off (did you mean "osc9"?)`,
		"[keys]\nask = \"Ctrl-F\"\n":                                     `F:2: keys.ask: no key (did you mean "ctrl+f"?)`,
		"a = {b = 1}\n":                                                  `F:1: unknown key "a"`,
		"[profiles\n":                                                    "F:1: ",
	} {
		if _, got := mistakes(t, text); !strings.HasPrefix(got, want) || want[len(want)-1] != ' ' && got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestAKeyIsNoName(t *testing.T) {
	_, got := mistakes(t, "[providers.work]\nkind = \"openai\"\nkey_env = \"sk-secret-1234\"\n")
	if !strings.Contains(got, "F:3: ") || strings.Contains(got, "1234") {
		t.Error(got)
	}
}

func TestValuesKnowWhereTheyCameFrom(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	xdg.Reload()
	put(t, UserFile(), "[redact]\nnames = [\"patient*\"]\nlocal = false\n[limits]\nmax_rounds = 5\n[panics]\nnot = [\"./retry/...\"]\n[providers.work]\nkind = \"openai\"\nprices = {\"gpt-4.1*\" = {price_in = 2, price_out = 8}}\n")
	put(t, ModuleFile(root), "redact.names = [\"card\"]\n[limits]\nmax_rounds = 1\ntotal = \"3m\"\n[panics]\nnot = [\"encoding/gob\"]\n")
	c, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(Known{}); err != nil {
		t.Fatal(err)
	}
	c.Note("models.auto", "flag --auto")
	want := map[string]string{
		"redact.names": "[patient* card] " + UserFile() + ":2, " + ModuleFile(root) + ":1", "redact.local": "false " + UserFile() + ":3",
		"limits.max_rounds": "1 " + ModuleFile(root) + ":3", "limits.total": "3m0s " + ModuleFile(root) + ":4", "limits.max_candidates": "8 default",
		"models.auto": "true flag --auto", `providers.work.prices."gpt-4.1*".price_out`: "8 " + UserFile() + ":10",
		"panics.not": "[./retry/... encoding/gob] " + UserFile() + ":7, " + ModuleFile(root) + ":6",
	}
	for _, s := range c.Settings() {
		if w, ok := want[s.Key]; ok {
			if got := fmt.Sprint(s.Value) + " " + s.From; got != w {
				t.Errorf("%s: %s, want %s", s.Key, got, w)
			}
			delete(want, s.Key)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v\n%v", want, c.Settings())
	}
	if p := c.Providers["work"].PriceOf("gpt-4.1-mini"); p.In != 2 || p.Out != 8 {
		t.Errorf("price %+v", p)
	}
}
