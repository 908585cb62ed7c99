/** The table of the classic game is the general one of turns. */
export { default } from "../../tables/turn-table.tsx";
