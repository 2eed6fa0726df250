package role_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/pair/role/roletest"
)

// declared are the names of all types that are intents, by the engine's source.
func declared(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../../engine/intent/*.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "intent" && f.Recv != nil {
				names[f.Recv.List[0].Type.(*ast.Ident).Name] = true
			}
		}
	}
	return names
}

func TestEveryIntentHasAnEffect(t *testing.T) {
	names := declared(t)
	if len(names) < 30 {
		t.Fatalf("found only %d intents", len(names))
	}
	for _, i := range roletest.Intents() {
		name := roletest.Name(i)
		if !names[name] {
			t.Errorf("%s is no intent of the engine any more, or listed twice", name)
		}
		delete(names, name)
		if role.Of(i) == 0 {
			t.Errorf("%s has no effect: say in the table what it leads to", name)
		}
	}
	for name := range names {
		t.Errorf("%s is in no table: add it to roletest.Intents and to the table of effects", name)
	}
}

func TestWhoMayDoWhat(t *testing.T) {
	want := map[role.Role]map[role.Effect]bool{
		role.Viewer:         {role.Talk: true},
		role.Agent:          {role.Talk: true, role.Propose: true},
		role.Approver:       {role.Talk: true, role.Propose: true, role.Approve: true},
		role.AgentDriver:    {role.Talk: true, role.Propose: true, role.Drive: true},
		role.ApproverDriver: {role.Talk: true, role.Propose: true, role.Approve: true, role.Drive: true},
		role.Driver:         {role.Talk: true, role.Propose: true, role.Approve: true, role.Drive: true, role.Decide: true},
		role.Host:           {role.Talk: true, role.Propose: true, role.Approve: true, role.Drive: true, role.Decide: true, role.Own: true},
	}
	for r, allowed := range want {
		for _, i := range roletest.Intents() {
			err := r.Check(i)
			if ok := err == nil; ok != allowed[role.Of(i)] {
				t.Errorf("%s, %s: %v", r, roletest.Name(i), err)
			}
			if err != nil && !errors.Is(err, role.ErrRefused) {
				t.Errorf("%s, %s: %v does not say that it was refused", r, roletest.Name(i), err)
			}
		}
	}
	var unknown struct{ intent.Intent }
	if role.Host.Check(unknown) == nil {
		t.Error("an intent that is not in the table was allowed")
	}
}
