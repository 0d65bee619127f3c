/** `engine state processes`: lists and stops the processes that the engine keeps on this machine. */

import { EngineError } from "../../../core/base/index.js";
import { selectorOf } from "../../admin/operations/index.js";
import { counted } from "../../internal/text/counted.js";
import { compare } from "../../internal/text/name-order.js";
import { type ListedProcess, listProcesses, stopAll } from "../../processes/kept/list.js";
import { nothingThere, stageExists } from "../open-stage.js";
import { print, printJson, printLines, say } from "../output.js";
import { type Column, oneLine, table } from "../table.js";
import { approve } from "./approval.js";
import type { InState } from "./in-state.js";

const COLUMNS: readonly Column<ListedProcess>[] = [
  { title: "NAME", text: ({ fqn }) => fqn, cut: "middle" },
  { title: "PID", text: ({ pid }) => String(pid) },
  { title: "STATUS", text: ({ status, process }) => (status === "foreign" ? `on ${process.host}` : status) },
  { title: "SINCE", text: ({ since }) => since },
  { title: "KEPT BY", text: keeperOf },
  { title: "COMMAND", text: ({ commandLine }) => commandLine.join(" ") },
];

/** Handles the processes of the stage, or of all apps and stages whose project has this root folder. */
export async function processes({ app, admin, given }: InState, patterns: readonly string[]): Promise<number | void> {
  const { appName, stage, rootDir } = app.root;
  const all = (await listProcesses(rootDir)).filter(
    (one) => given.all === true || (one.app === appName && one.stage === stage),
  );
  // Processes are recorded on this machine, so the store is asked only if there are none.
  if (all.length === 0 && given.all !== true && !(await stageExists(admin, given))) return nothingThere(admin, given);
  const found = matching(all, patterns).toSorted((one, other) => compare(one.fqn, other.fqn));
  const stopped = given.stop === true ? await stop(found, given) : [];
  if (given.json === true) {
    const stoppedPids = stopped.map(({ pid }) => pid);
    return printJson({ app: appName, stage, processes: found.map(listed), stopped: stoppedPids });
  }
  if (found.length === 0)
    return say(`No process is recorded for ${given.all === true ? `"${rootDir}"` : `"${appName}/${stage}"`}.`);
  if (given.stop === true) {
    for (const { fqn, pid } of stopped) print(`stopped  ${fqn}  (process ${pid})`);
    return say(`${counted(stopped.length, "process", "es")} stopped`);
  }
  printLines(await table(found, COLUMNS));
}

async function stop(found: readonly ListedProcess[], given: InState["given"]): Promise<readonly ListedProcess[]> {
  const ours = found.filter(({ status }) => status !== "foreign");
  const alive = ours.filter(({ status }) => status === "alive");
  if (alive.length > 0) {
    const lines = alive.map(
      ({ fqn, pid, commandLine }) => `stop     ${fqn}  (process ${pid}: ${oneLine(commandLine.join(" "))})`,
    );
    await approve(given, lines, `Stop ${counted(alive.length, "process", "es")}?`);
  }
  // For processes that have ended, only the record is deleted.
  return stopAll(ours);
}

/** @throws EngineError `NOT_RECORDED` for a pattern without a match */
function matching(all: readonly ListedProcess[], patterns: readonly string[]): readonly ListedProcess[] {
  if (patterns.length === 0) return all;
  const fits = (pattern: string, { fqn, app, stage }: ListedProcess): boolean =>
    selectorOf({ app, stage }, pattern)(fqn.slice(`${app}/${stage}/`.length));
  const unknown = patterns.find((pattern) => !all.some((one) => fits(pattern, one)));
  if (unknown !== undefined)
    throw new EngineError(
      "NOT_RECORDED",
      `No recorded process matches "${unknown}". "engine state processes" lists them.`,
    );
  return all.filter((one) => patterns.some((pattern) => fits(pattern, one)));
}

function keeperOf({ keeper, session }: ListedProcess): string {
  if (keeper === "resource") return "its resource";
  return session === undefined ? "the run" : `session ${session}`;
}

function listed({
  fqn,
  pid,
  status,
  since,
  keeper,
  session,
  commandLine,
  log,
  process: { host },
}: ListedProcess): object {
  return { fqn, pid, status, host, since, keeper, ...(session && { session }), command: commandLine, log };
}
