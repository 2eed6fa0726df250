package execute

import (
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
)

const (
	mostSources     = 10000     // files
	mostSourceBytes = 128 << 20 // of all together
	mostForeign     = 256 << 10 // bytes of a file of a dependency, or of settings: larger ones are tables
	mostConfigs     = 200       // files of settings
)

// envNames finds the names of an environment that the unpatched program may look up.
// A name has to be a whole text of the source, a part of a field's tag, or in a text after $:
// names are everywhere as parts of others. Nothing of a candidate is looked at.
type envNames struct {
	env         []string // the names that are there
	used        map[string]bool
	files, size int
	texts       [][]byte // of the user's modules
	configs     []string // files of theirs in which a program may expand variables
	// automatic tells that a variable is read for each setting, "db.url" for DB_URL; expands
	// that texts which are read have variables.
	automatic, expands bool
}

// readers are what a package that reads the environment mentions; packages of others
// that do not have words like PASSWORD for other reasons.
var readers = []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}

var (
	// prefixed end calls that read all variables with a prefix.
	prefixed = lazyregexp.New(`(?:SetEnvPrefix|envconfig\.Process|envconfig\.MustProcess|WithEnvPrefix|WithEnvVarPrefix|DefaultEnvars|EnvPrefix:?)\s*\(?\s*$`)
	// prefixers are words that such calls have.
	prefixers = []string{"EnvPrefix", "envconfig.", "EnvVarPrefix", "DefaultEnvars"}
	// envPrefix is a text that names are made of, by what follows it.
	envPrefix = lazyregexp.New(`^[A-Z][A-Z0-9]+_$`)
	envWord   = lazyregexp.New(`[A-Za-z_][A-Za-z0-9_]*`)
	expanded  = lazyregexp.New(`\$\{?([A-Za-z_][A-Za-z0-9_]*)`)
	// automatic are the functions that read a variable for each setting or flag.
	automatic = lazyregexp.New(`\b(?:AutomaticEnv|WithEnvVars|WithEnvVarNoPrefix)\b`)
	expands   = lazyregexp.New(`\bos\.Expand(?:Env)?\(`)
)

var (
	configKinds = []string{".yaml", ".yml", ".toml", ".json", ".ini", ".conf", ".cfg", ".tmpl", ".properties", ".hcl"}
	cKinds      = []string{".c", ".cc", ".cpp", ".h"}
)

// namesUsed finds the names of an environment that the program, or the command by which a
// person repeats its failure, may look up.
func (v *Runner) namesUsed(env []string) map[string]bool {
	n := &envNames{used: map[string]bool{}}
	for _, kv := range env {
		if name := nameOf(kv); name != "" {
			n.env = append(n.env, name)
		}
	}
	if r := v.Subject.Run.Repro; !r.Captured { // a client of the server has written the request
		for _, w := range envWord.FindAllString(r.Command, -1) {
			n.name(w)
		}
	}
	own := map[string]bool{}
	for _, m := range v.Subject.Workspace.Modules {
		if m.ReadOnly { // what the program is linked from in it is looked at below
			continue
		}
		_ = filepath.WalkDir(m.Dir, func(name string, d os.DirEntry, err error) error { // what cannot be read names nothing
			switch {
			case err != nil:
				return filepath.SkipDir
			case d.IsDir() && name != m.Dir && neverBuilt(name):
				return filepath.SkipDir
			case d.IsDir():
				own[name] = true
				n.directory(name, true)
			}
			return nil
		})
	}
	for _, text := range n.texts {
		n.source(text, true)
	}
	n.texts = nil
	if n.expands {
		for _, file := range n.configs {
			if text, err := regular.Read(file); err == nil {
				n.expand(string(text))
			}
		}
	}
	if n.all() {
		return n.used
	}
	for _, dir := range dependencies(v.Subject.Binary) {
		if !own[dir] {
			n.directory(dir, false)
		}
	}
	return n.used
}

// neverBuilt reports whether no program of a module is built from a directory below it: the go
// command leaves it out, or it is a module of its own.
func neverBuilt(dir string) bool {
	base := filepath.Base(dir)
	if base == "vendor" || base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := os.Lstat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// all reports whether every name is used.
func (n *envNames) all() bool {
	return !slices.ContainsFunc(n.env, func(name string) bool { return !n.used[name] })
}

// dependencies are the directories of the packages that a program is linked from,
// without those of the standard library: what that looks up is usual, or of the network.
func dependencies(binary string) []string {
	files, err := exeinfo.Files(binary)
	if err != nil {
		return nil
	}
	std := "\x00"
	for _, f := range files {
		if root, ok := strings.CutSuffix(filepath.ToSlash(f), "/runtime/proc.go"); ok {
			std = root + "/"
		}
	}
	var dirs []string
	for _, f := range files {
		if filepath.IsAbs(f) && !strings.HasPrefix(filepath.ToSlash(f), std) {
			dirs = append(dirs, filepath.Dir(f))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// directory looks at the Go files of a directory. In one that is not the user's, names
// count only if the environment is read there.
func (n *envNames) directory(dir string, own bool) {
	entries, _ := os.ReadDir(dir)
	var texts [][]byte
	reads := own
	for _, e := range entries {
		switch kind := filepath.Ext(e.Name()); {
		case n.files >= mostSources || n.size >= mostSourceBytes || !looksAt(e, kind, own):
			continue
		case kind != ".go" && !slices.Contains(cKinds, kind):
			if len(n.configs) < mostConfigs {
				n.configs = append(n.configs, filepath.Join(dir, e.Name()))
			}
			continue
		}
		if text, err := regular.Read(filepath.Join(dir, e.Name())); err == nil {
			n.files, n.size = n.files+1, n.size+len(text)
			texts = append(texts, text)
			reads = reads || mentionsAny(text, readers)
		}
	}
	if !reads {
		return
	}
	for _, text := range texts {
		if own {
			n.texts = append(n.texts, text)
			n.automatic = n.automatic || bytes.Contains(text, []byte("Env")) && automatic.Match(text)
			n.expands = n.expands || bytes.Contains(text, []byte("os.Expand")) && expands.Match(text)
		} else if slices.ContainsFunc(n.env, func(name string) bool { return !n.used[name] && bytes.Contains(text, []byte(name)) }) {
			n.source(text, false)
		}
	}
}

func mentionsAny(text []byte, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// looksAt reports whether a file may name variables: of others only their source, without
// tables and tests.
func looksAt(e os.DirEntry, kind string, own bool) bool {
	settings := slices.Contains(configKinds, kind)
	if !e.Type().IsRegular() || kind != ".go" && (!own || !settings && !slices.Contains(cKinds, kind)) || !own && strings.HasSuffix(e.Name(), "_test.go") {
		return false
	}
	info, err := e.Info()
	return err == nil && (own && !settings || info.Size() <= mostForeign)
}

// source looks at the texts of a file.
func (n *envNames) source(text []byte, own bool) {
	var s scanner.Scanner
	files := token.NewFileSet()
	prefixes := own && mentionsAny(text, prefixers)
	s.Init(files.AddFile("", -1, len(text)), text, func(token.Position, string) {}, 0)
	joined, before := "", token.ILLEGAL
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.STRING:
			value, err := strconv.Unquote(lit)
			if err != nil {
				break
			}
			if before == token.ADD { // "SHOP_" + "DSN"
				value = joined + value
			}
			joined = value
			n.name(value)
			n.expand(value)
			if lit[0] == '`' && strings.Contains(value, `:"`) {
				for _, part := range envWord.FindAllString(value, -1) {
					n.name(part)
				}
			}
			at := files.Position(pos).Offset
			switch {
			case !own:
			case envPrefix.MatchString(value):
				n.prefix(value)
			case prefixes && prefixed.Match(text[max(at-60, 0):at]) && value != "":
				n.prefix(strings.ToUpper(strings.TrimSuffix(value, "_")) + "_")
			case n.automatic:
				n.name(strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(value)))
			}
		case tok != token.ADD:
			joined = ""
		}
		before = tok
	}
}

func (n *envNames) name(text string) {
	if slices.Contains(n.env, text) {
		n.used[text] = true
	}
}

// expand takes the variables that a text has as shells and os.Expand write them.
func (n *envNames) expand(text string) {
	if !strings.Contains(text, "$") {
		return
	}
	for _, m := range expanded.FindAllStringSubmatch(text, -1) {
		n.name(m[1])
	}
}

func (n *envNames) prefix(of string) {
	for _, name := range n.env {
		if strings.HasPrefix(name, of) {
			n.used[name] = true
		}
	}
}
