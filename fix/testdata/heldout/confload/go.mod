module example.org/confload

go 1.26
