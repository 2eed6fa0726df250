package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Assignment 3: grade statistics per course
// Input:
//   course NAME
//   student NAME score score score ...

func main() {
	scanner := bufio.NewScanner(os.Stdin)

	// store everything in parallel slices
	var courseNames []string
	var studentNames []string
	var studentCourse []int
	var studentScores [][]int

	lineNumber := 0
	for scanner.Scan() {
		lineNumber++
		line := strings.TrimSpace(scanner.Text())
		if line == "" {
			continue
		}
		words := strings.Fields(line)
		if words[0] == "course" && len(words) == 2 {
			courseNames = append(courseNames, words[1])
		} else if words[0] == "student" && len(words) >= 2 {
			if len(courseNames) == 0 {
				fmt.Println("line", lineNumber, ": student before course")
				continue
			}
			var scores []int
			for i := 2; i < len(words); i++ {
				score, err := strconv.Atoi(words[i])
				if err != nil || score < 0 || score > 100 {
					fmt.Println("line", lineNumber, ": bad score", words[i])
					continue
				}
				scores = append(scores, score)
			}
			studentNames = append(studentNames, words[1])
			studentCourse = append(studentCourse, len(courseNames)-1)
			studentScores = append(studentScores, scores)
		} else {
			fmt.Println("line", lineNumber, ": cannot understand", line)
		}
	}

	// print every course
	for c := 0; c < len(courseNames); c++ {
		fmt.Println("==", courseNames[c], "==")
		courseSum := 0
		courseCount := 0
		best := -1
		bestName := "nobody"
		for s := 0; s < len(studentNames); s++ {
			if studentCourse[s] != c {
				continue
			}
			if len(studentScores[s]) == 0 {
				fmt.Println(studentNames[s], "no scores")
				continue
			}
			sum := 0
			for _, x := range studentScores[s] {
				sum = sum + x
			}
			average := sum / len(studentScores[s])
			letter := "F"
			if average >= 90 {
				letter = "A"
			} else if average >= 75 {
				letter = "B"
			} else if average >= 60 {
				letter = "C"
			} else if average >= 50 {
				letter = "D"
			}
			fmt.Println(studentNames[s], average, letter)
			if average > best {
				best = average
				bestName = studentNames[s]
			}
			courseSum = courseSum + average
			courseCount = courseCount + 1
		}
		courseAverage := courseSum / courseCount
		fmt.Println("course average:", courseAverage)
		fmt.Println("best student:", bestName)
		fmt.Println()
	}

	fmt.Println("total students:", len(studentNames))
}
