module example.org/pagefeed

go 1.26
