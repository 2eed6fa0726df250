module example.org/colsum

go 1.26
