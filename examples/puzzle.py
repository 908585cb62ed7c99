"""A puzzle: fill a frame, count its solutions, draw and print one of them."""

from dalapapa import draw, print_pdf, solve

solution = solve(4, 3, seed="tuesday").solutions[0]
names = [laying.tile for laying in solution]
found = solve(4, 3, names, count=100)
print(f"{len(found.solutions)} solutions with {' '.join(names)}; all of them: {found.exhausted}")
draw(solution, "solution.svg", names=True)
print_pdf("position", "solution.pdf", position=solution, paper="a4")
