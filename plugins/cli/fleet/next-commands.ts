/** Command lines that continue the work of a command. */
import { written } from "../../internal/flags/table.js";
import { textOf } from "../flags.js";
import type { FleetCall } from "./load-fleet.js";
import type { NextCommands } from "./report-lines.js";

/** @param call the command that names them; URLs are left out, because they may hold passwords */
export function nextCommands({ file, given }: Pick<FleetCall, "file" | "given">): NextCommands {
  const shared = (["state", "queue"] as const).flatMap((key) =>
    textOf(given[key]) === undefined ? [] : [`${written(key)} …`],
  );
  const entry = file === undefined ? [] : [quoted(file)];
  return {
    fleet: (command) => ["engine fleet", command, ...entry, ...shared].join(" "),
    outcome: (stage) => ["engine fleet status", ...entry, written("stage"), quoted(stage), ...shared].join(" "),
    stage: (name) => {
      const flags = [...(file === undefined ? [] : [written("entry"), quoted(file)]), written("stage"), quoted(name)];
      return ["engine state list", ...flags, ...shared.slice(0, textOf(given.state) === undefined ? 0 : 1)].join(" ");
    },
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
