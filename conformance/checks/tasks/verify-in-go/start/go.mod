module workshop

go 1.19
