"""The mutants that no test can kill."""

# (file, line, the same line mutated, why nobody can tell); lines without their indentation, several
# as one.
JUSTIFIED = [
]
