/** `engine state stages`: lists all stages of all apps in the store. */
import type { StageSummary } from "../../admin/operations/index.js";
import { counted } from "../../internal/text/counted.js";
import { print, printJson, printLines, say } from "../output.js";
import { type Column, table } from "../table.js";
import { holderText } from "./approval.js";
import { countsOf } from "./history.js";
import type { InState } from "./in-state.js";

const COLUMNS: readonly Column<StageSummary>[] = [
  { title: "STAGE", text: ({ app, stage }) => `${app}/${stage}`, cut: "middle" },
  { title: "RESOURCES", text: ({ resources }) => (resources === undefined ? "" : String(resources)) },
  { title: "LAST RUN", text: ({ lastRun }) => (lastRun ? `${lastRun.command} ${lastRun.since}` : "") },
  { title: "BY", text: ({ lastRun }) => (lastRun ? `${lastRun.user}@${lastRun.host}` : ""), cut: "middle" },
  { title: "OUTCOME", text: ({ lastRun }) => lastRun?.outcome ?? "" },
  { title: "CHANGES", text: ({ lastRun }) => countsOf(lastRun?.summary) },
  { title: "", text: conditionOf },
];

/** Lists the stages. Returns 1 if one of them cannot be read. */
export async function stages({ admin, given }: InState): Promise<number> {
  const found = await admin.stages({ all: given.all === true });
  if (given.json === true) printJson({ app: admin.app, stage: admin.stage, stages: found });
  else if (found.length === 0)
    print(
      given.all === true
        ? "The store has no stages."
        : "The store has no stages with resources. --all also lists empty stages.",
    );
  else {
    printLines(await table(found, COLUMNS));
    say(counted(found.length, "stage"));
  }
  return found.some(({ problem }) => problem) ? 1 : 0;
}

function conditionOf({ problem, retired, arriving, holder, isSealed }: StageSummary): string {
  if (problem) return `${problem.code}: ${problem.message}`;
  if (retired) return `moved to ${retired.store} by ${retired.user}@${retired.host} on ${retired.since}`;
  if (arriving)
    return `being moved here from ${arriving.store} by ${arriving.user}@${arriving.host} since ${arriving.since}`;
  const parts = [...(isSealed ? ["sealed, not verified"] : []), ...(holder ? [`locked by ${holderText(holder)}`] : [])];
  return parts.join(", ");
}
