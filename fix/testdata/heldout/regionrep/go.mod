module example.org/regionrep

go 1.26
