/** Command lines that continue the work of a command. */
import { FLEET_RUNS } from "../../internal/flags/commands.js";
import { written } from "../../internal/flags/table.js";
import { textOf } from "../flags.js";
import type { FleetCall } from "./load-fleet.js";
import type { NextCommands } from "./report-lines.js";

/** Commands with `--queue`. */
const RUNS: ReadonlySet<string> = new Set(FLEET_RUNS);

/** @param call the command that names them; URLs are left out, because they may hold passwords */
export function nextCommands({ file, given }: Pick<FleetCall, "file" | "given">): NextCommands {
  const flag = (key: "state" | "queue"): readonly string[] =>
    textOf(given[key]) === undefined ? [] : [`${written(key)} …`];
  const entry = file === undefined ? [] : [quoted(file)];
  return {
    fleet: (command) => {
      const queue = RUNS.has(`fleet ${command}`) ? flag("queue") : [];
      return ["engine fleet", command, ...entry, ...flag("state"), ...queue].join(" ");
    },
    outcome: (stage) => ["engine fleet status", ...entry, written("stage"), quoted(stage), ...flag("state")].join(" "),
    look: (command, stage) =>
      ["engine fleet", command, ...entry, written("stage"), quoted(stage), ...flag("state")].join(" "),
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
