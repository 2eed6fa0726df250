module example.org/grades

go 1.26
