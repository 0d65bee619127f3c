/** `engine state verify`: checks every byte of the state against its digests and seals. */

import type { Finding, Verified } from "../../admin/operations/index.js";
import { counted } from "../../internal/text/counted.js";
import { print, printJson, printLines, say } from "../output.js";
import { type Column, table } from "../table.js";
import type { InState } from "./in-state.js";

const COLUMNS: readonly Column<Finding>[] = [
  { title: "KEY", text: ({ key }) => key, cut: "middle" },
  { title: "LEVEL", text: ({ level }) => level },
  { title: "PROBLEM", text: ({ problem }) => problem },
  { title: "WHAT TO DO", text: ({ advice }) => advice },
];

/** Prints the findings. Returns 1 if a key is damaged. */
export async function verify({ admin, given }: InState): Promise<number> {
  const { app, stage } = admin;
  const result = await admin.verify();
  const count = result.findings.filter(({ level }) => level === "damaged").length;
  if (given.json === true) printJson({ app, stage, ...result, unused: result.unused ?? null });
  else {
    if (result.findings.length > 0) printLines(await table(result.findings, COLUMNS));
    print(summaryOf(`${app}/${stage}`, result, count));
    const exposed = result.findings.filter(({ level }) => level === "exposed").length;
    if (exposed > 0) say(`${counted(exposed, "resource")} with a secret in plain text.`);
    if (result.unused !== undefined) say(result.unused);
    if (result.isBusy) say("A run is active, so some findings may be temporary. Run the command again later.");
  }
  return count > 0 ? 1 : 0;
}

function summaryOf(
  name: string,
  { keys, size, resources, lines, checkpoints, histories, seal }: Verified,
  count: number,
): string {
  const read = [
    counted(keys, "key"),
    `${size} characters`,
    counted(lines, "line"),
    counted(checkpoints, "checkpoint"),
    `${histories} in the history`,
    ...(resources === undefined ? [] : [counted(resources, "resource")]),
  ];
  const whole =
    seal === "unverified"
      ? "every digest matches; no seal was verified, because no password or key was given"
      : "every byte is as it was written";
  return `${name}: ${count === 0 ? whole : `${count} damaged`} (${read.join(", ")})`;
}
