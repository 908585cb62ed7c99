/** The table of the classic game. */
import type { TableProps } from "../pages/table.tsx";
import { TurnTable } from "./turn-table.tsx";

export default function ClassicTable({ session }: TableProps) {
  return <TurnTable session={session} />;
}
