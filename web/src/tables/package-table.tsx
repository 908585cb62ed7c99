/** The table of a game of another package: the general one, with the moves that only this game has. */
import { OwnMoveButtons, OwnMovesPanel } from "./own-moves.tsx";
import { turnTable } from "./turn-table.tsx";

export default turnTable({ Panel: OwnMovesPanel, Buttons: OwnMoveButtons });
