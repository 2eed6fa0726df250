module example.org/gridstat

go 1.26
