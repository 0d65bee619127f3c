/** `engine state history`: lists the copies of the state that can be restored. */

import type { HistoryCopy } from "../../admin/operations/index.js";
import { countWord } from "../../internal/text/count-word.js";
import { printJson, printLines, say } from "../output.js";
import { type Column, table } from "../table.js";
import type { InState } from "./in-state.js";

const COLUMNS: readonly Column<HistoryCopy>[] = [
  { title: "SEQ", text: ({ seq }) => String(seq) },
  { title: "STARTED", text: ({ run }) => run?.since ?? "not recorded" },
  {
    title: "BY",
    text: ({ run }) => (run ? `${run.user}@${run.host}` : "not recorded"),
    cut: "middle",
  },
  { title: "COMMAND", text: ({ run }) => run?.command ?? "" },
  { title: "OUTCOME", text: ({ run }) => run?.outcome ?? "" },
  { title: "RESOURCES", text: ({ resources }) => String(resources ?? "unreadable") },
  { title: "CHANGES", text: ({ run, problem }) => problem ?? countsOf(run?.summary) },
  { title: "", text: sealText },
];

/** Returns the reason why a copy cannot be restored, or may not be. */
function sealText({ seal, keyChange }: HistoryCopy): string {
  if (seal === "other-key") return "needs an earlier password or key; the current one cannot restore it";
  return seal === "unverified" && keyChange !== undefined ? "from before the password or key was changed" : "";
}

export async function history({ admin, given }: InState): Promise<void> {
  const { app, stage } = admin;
  const copies = await admin.history();
  if (given.json === true) {
    const { seq, resources } = await admin.list();
    return printJson({ app, stage, present: { seq, resources: resources.length }, history: copies.map(rowOf) });
  }
  if (copies.length === 0) return say(`The state of "${app}/${stage}" has no copies.`);
  printLines(await table(copies, COLUMNS));
  say(`"engine state restore <seq>" restores one of them.`);
}

function rowOf({ seq, run, resources, problem, seal, keyChange }: HistoryCopy): object {
  const { since, user, host, pid, ci, commit, command, outcome, summary } = run ?? {};
  return { seq, since, user, host, pid, ci, commit, command, outcome, summary, resources, problem, seal, keyChange };
}

export function countsOf(summary: object | undefined): string {
  const counts = Object.entries(summary ?? {}).filter(([, count]) => count > 0);
  return counts.map(([name, count]) => `${count} ${countWord(name)}`).join(", ");
}
