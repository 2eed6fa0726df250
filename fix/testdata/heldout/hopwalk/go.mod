module example.org/hopwalk

go 1.26
