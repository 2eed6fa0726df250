package main

import (
	"fmt"
	"strings"
)

// User is a record that was checked.
type User struct {
	Name  string
	Email string
	Age   int // in whole years
	Roles []string
}

// RoleList returns the roles as one word each, or a dash when there are none.
func (u User) RoleList() string {
	if len(u.Roles) == 0 {
		return "-"
	}
	return strings.Join(u.Roles, ",")
}

// Problem is a record that was skipped, and why.
type Problem struct {
	Index int // of the record in the export, from 0
	Err   error
}

// String names the record the way the export's own tools do, counted from 1.
func (p Problem) String() string {
	return fmt.Sprintf("record %d: %v", p.Index+1, p.Err)
}

// importAll parses every record and keeps the order of the export.
func importAll(records []Record) ([]User, []Problem) {
	var users []User
	var problems []Problem
	for i, rec := range records {
		user, err := parseUser(rec)
		if err != nil {
			problems = append(problems, Problem{Index: i, Err: err})
			continue
		}
		users = append(users, user)
	}
	return users, problems
}

// parseUser checks a record. Name, email and age are required, roles are not.
func parseUser(rec Record) (User, error) {
	name, err := rec.text("name")
	if err != nil {
		return User{}, err
	}
	email, err := rec.text("email")
	if err != nil {
		return User{}, err
	}
	if !strings.Contains(email, "@") {
		return User{}, fmt.Errorf("field %q: %q is no address", "email", email)
	}
	// encoding/json decodes every number to float64.
	age := rec["age"].(float64)
	if age < 0 || age > 150 {
		return User{}, fmt.Errorf("field %q: %v is no age", "age", age)
	}
	roles, err := rec.texts("roles")
	if err != nil {
		return User{}, err
	}
	return User{Name: name, Email: email, Age: int(age), Roles: roles}, nil
}
