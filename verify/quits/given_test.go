package quits

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/syntax"
)

// TestChangesOfWhatIsGiven are ways to change the arguments, or the files that the program
// is given, and ways to read them. A line that changes them ends in "// !".
func TestChangesOfWhatIsGiven(t *testing.T) {
	for name, text := range map[string]string{
		"assigned":               "func f() {\nos.Args = nil // !\n(os.Args) = nil // !\nos.Stdin, _ = os.Open(\"x\") // !\n}",
		"an element":             "func f() {\nos.Args[1] = \"-h\" // !\n(os.Args)[1] += \"x\" // !\nos.Args[1:][0] = \"x\" // !\n}",
		"a pointer":              "func f() {\n*(&os.Args) = nil // !\np := &os.Args[1] // !\n*p = \"x\"\nflag.Var(&os.Stdin) // !\n}",
		"a loop":                 "func f() {\nfor i := range os.Args {\nos.Args[i] = \"x\" // !\n}\nfor _, os.Args[1] = range list { // !\n}\n}",
		"a channel":              "func f(c chan []string) {\nselect {\ncase os.Args = <-c: // !\n}\nc <- os.Args // !\n}",
		"builtins":               "func f() {\ncopy(os.Args[1:], list) // !\nclear(os.Args) // !\nlist = append(os.Args[:1], \"x\") // !\n}",
		"functions":              "func f() {\nslices.Sort(os.Args) // !\nsort.Strings(os.Args) // !\nreflect.ValueOf(os.Args).Index(1).SetString(\"x\") // !\nfunc(a []string) { a[1] = \"x\" }(os.Args) // !\n}",
		"another name":           "func f() {\na := os.Args\na[1] = \"x\" // !\nvar b = a[1:]\ncopy(b, list) // !\nb = nil\n}",
		"of the package":         "var all, n = os.Args, 1\n\nfunc f() {\nall[1] = \"x\" // !\n}",
		"a field":                "func f() {\nc := config{args: os.Args}\nc.args[1] = \"x\" // !\nc.other[1] = \"x\"\n}",
		"in what is made":        "func f() {\nuse([][]string{os.Args}) // !\nm[\"x\"] = map[string][]string{x: os.Args} // !\n}",
		"a result":               "func f() []string {\nreturn os.Args[1:] // !\n}",
		"followed":               "func f() {\nset(\"x\", os.Args[1:])\n}\n\nfunc set(s string, a []string) {\na[0] = s // !\n}",
		"not followed":           "func f() {\nelsewhere(os.Args[1:]) // !\n}",
		"a method":               "func f(l *list.List) {\nl.PushBack(os.Args) // !\n}\n\nfunc (k kept) PushBack(a []string) {}",
		"in a closure":           "func f() {\na := os.Args\ngo func() {\na[1] = \"x\" // !\n}()\n}",
		"the input":              "func f(g *os.File) {\n*os.Stdin = *g // !\nin := os.Stdin\n*in = *g // !\n*(os.Stdout) = *g // !\nvar r io.Reader = os.Stdin\n*r.(*os.File) = *g // !\nset(in)\n}\n\nfunc set(f *os.File) {\n*f = os.File{} // !\n}",
		"left by flags":          "func f(set flags) {\nflag.Args()[0] = \"x\" // !\nrest := flag.Args()\nrest[0] = \"x\" // !\ncopy(set.Args()[1:], list) // !\nset.Parse([]string{\"x\"}) // !\nset.Parse(list)\nset.Parse(strings.Fields(\"-n 3\")) // !\nset.Parse(os.Args[1:])\n}",
		"reads what flags leave": "func f(set flags) {\nlist := set.Args()\nif len(list) == 0 {\nlist = []string{\".\"}\n}\nfor _, a := range flag.Args() {\nfmt.Println(a, flag.Args()[0], strings.Join(set.Args(), \" \"))\n}\n}",
		"reads arguments":        "func f() {\nif len(os.Args) < 2 || os.Args[1] == \"-\" || os.Args == nil {\nfmt.Println(os.Args, strings.Join((os.Args[1:]), \" \"))\n}\nfor _, a := range os.Args[1:] {\na = \"x\"\n_ = a\n}\n}",
		"copies arguments":       "func f() {\nlist := append([]string{}, os.Args[1:]...)\nlist[0] = \"x\"\ncopy(list, os.Args)\nlist = slices.Clone(os.Args)\nlist[0] = exec.Command(os.Args[0], os.Args[1:]...).String()\n}",
		"uses files":             "func f(g *os.File) {\nin := bufio.NewScanner(os.Stdin)\nvar w io.Writer = os.Stdout\nw = g\nfmt.Fprintln(os.Stderr, w, in)\n*g = os.File{}\ncmd.Stdout = os.Stdout\n}",
		"moved in":               "func f() {\nos.Stdin.Close() // !\nin := os.Stdin\nin.Seek(0, 2) // !\ndefer os.Stdout.Truncate(0) // !\nos.Stdin.Stat()\nos.Stdin.Read(b)\nos.Stdout.WriteString(\"x\")\nfile.Close()\n}",
		"of another":             "func f() {\nargs := os.Args\nuse2(args[0])\n}\n\nfunc g(args []string) {\nargs[0] = \"x\"\nquery(args)\n}",
	} {
		t.Run(name, func(t *testing.T) {
			text := "package p\n\nimport \"os\"; import \"fmt\"; import \"strings\"; import \"slices\"; import \"sort\"; import \"reflect\"; import \"os/exec\"; import \"flag\"\n\n" + text + "\n"
			s := syntax.Parse(text)
			if s == nil {
				t.Fatal("it is no Go")
			}
			var got, want []int
			for _, p := range Find(s, nil, nil, AliasesIn([]*syntax.File{s}, nil)) {
				got = append(got, p.Line)
			}
			for i, line := range strings.Split(text, "\n") {
				if strings.HasSuffix(line, "// !") {
					want = append(want, i+1)
				}
			}
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Errorf("lines %v, want %v of\n%s", got, want, text)
			}
		})
	}
}

// TestArgumentsOfOtherFiles have a name in one file, and are changed in another.
func TestArgumentsOfOtherFiles(t *testing.T) {
	const named = "package p\n\nimport sys \"os\"\n\nvar all = sys.Args\n"
	s := syntax.Parse("package p\n\nfunc init() {\n\tall[1] = \"-h\"\n}\n")
	for name, a := range map[string]Aliases{
		"left alone": AliasesIn([]*syntax.File{s}, Exits([]Package{{Own: true, Texts: []string{named}}})),
		"edited":     AliasesIn([]*syntax.File{s, syntax.Parse(named)}, nil),
	} {
		if got := Find(s, nil, nil, a); len(got) != 1 || got[0] != (Place{Name: "os.Args", Line: 4}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	dot := syntax.Parse("package p\n\nimport . \"os\"\n\nfunc init() {\n\tArgs[1] = \"-h\"\n}\n")
	if got := Find(dot, nil, nil, Aliases{}); len(got) != 1 {
		t.Errorf("with a dot: %v", got)
	}
}
