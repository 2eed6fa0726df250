module example.org/caverns

go 1.26
