module example.org/jobrun

go 1.26
