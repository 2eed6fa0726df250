module example.org/tillbook

go 1.26
