module example.org/brfmt

go 1.26
