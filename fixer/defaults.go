package fixer
