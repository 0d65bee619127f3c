/** `engine state history`: the copies that the state can go back to. */

import { type PastState, pastStates } from "../../../core/admin/index.js";
import { placeOf } from "../../../core/state/index.js";
import { countWord } from "../../internal/count-word.js";
import { printJson, printLines, say } from "../output.js";
import { type Column, table } from "../table.js";
import { type InState, look } from "./in-state.js";

const COLUMNS: readonly Column<PastState>[] = [
  { title: "SEQ", text: ({ seq }) => String(seq) },
  { title: "STARTED", text: ({ closed }) => closed?.owner.since ?? "not recorded" },
  {
    title: "BY",
    text: ({ closed }) => (closed ? `${closed.owner.user}@${closed.owner.host}` : "not recorded"),
    cut: "middle",
  },
  { title: "COMMAND", text: ({ closed }) => closed?.command ?? "" },
  { title: "OUTCOME", text: ({ closed }) => closed?.outcome ?? "" },
  { title: "RESOURCES", text: ({ resources }) => String(resources ?? "unreadable") },
  { title: "CHANGES", text: ({ closed, problem }) => problem ?? countsOf(closed?.summary) },
];

export async function history(context: InState): Promise<void> {
  const { settings, given } = context;
  const { app, stage } = settings;
  const past = await pastStates(placeOf(settings));
  if (given.json === true) {
    const { loaded } = await look(context);
    const present = { seq: loaded.head.seq, resources: loaded.contents.records.size };
    return printJson({ app, stage, present, history: past.map(rowOf) });
  }
  if (past.length === 0) return say(`There is no copy of the state of "${app}/${stage}".`);
  printLines(await table(past, COLUMNS));
  say(`"engine state restore <seq>" goes back to one of them.`);
}

function rowOf({ seq, closed, resources, problem }: PastState): object {
  const { owner, command, outcome, summary } = closed ?? {};
  const { since, user, host, pid, ci } = owner ?? {};
  return { seq, since, user, host, pid, ci, command, outcome, summary, resources, problem };
}

function countsOf(summary: object | undefined): string {
  const counts = Object.entries(summary ?? {}).filter(([, count]) => count > 0);
  return counts.map(([name, count]) => `${count} ${countWord(name)}`).join(", ");
}
