from rocwise.arrays import Counts, Floats

def start_of(x: Floats, other_x: Floats, vertex: int, same: float) -> tuple[int, int]: ...
def counted(
    lower_x: Floats,
    lower_y: Floats,
    upper_x: Floats,
    upper_y: Floats,
    same: float,
    i: int,
    i_end: int,
    j: int,
    j_end: int,
) -> int: ...
def filled(
    lower_x: Floats,
    lower_y: Floats,
    upper_x: Floats,
    upper_y: Floats,
    same: float,
    i: int,
    i_end: int,
    j: int,
    j_end: int,
    edges: Floats,
    first: int,
) -> int: ...
def moved_lines(columns: list[Floats], lines: Floats, first: int, last: int) -> None: ...
def trapezoids(columns: list[Floats], areas: Floats, first: int, last: int) -> None: ...
def counted_runs(
    above_pos: Counts, above_neg: Counts, first: int, last: int
) -> tuple[int, int]: ...
def filled_runs(
    above_pos: Counts,
    above_neg: Counts,
    first: int,
    before: int,
    table: Counts,
    begin: int,
    end: int,
) -> None: ...
