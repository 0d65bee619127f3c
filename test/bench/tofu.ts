/** OpenTofu's side of a row: as many `terraform_data` by `count`, with the state in a file. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Calls, callsOf, checkCalls } from "./calls.js";
import { runChild } from "./child.js";
import { PEER_PATIENCE, PEERS } from "./peers.js";
import type { StageWork } from "./rows.js";
import type { Place, Side } from "./side.js";

const variables = { CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_INPUT: "0" };

/** Another `rev` updates all of them in place, or replaces them. */
function configurationOf({ n, operation }: StageWork): string {
  const changed = operation === "replace" ? "  triggers_replace = var.rev\n" : "";
  const rev = operation === "replace" ? '"0"' : "var.rev";
  return `variable "rev" {
  default = "0"
}
resource "terraform_data" "n" {
  count = ${n}
  input = { size = count.index, tags = { a = "x", b = "y" }, rev = ${rev} }
${changed}}
`;
}

/** @param install the folder of the installed package */
export function tofuSide(install: string): Side {
  const command = join(install, PEERS.opentofu.has);
  const tofu = (place: Place, ...args: readonly string[]) =>
    runChild({ command, args, cwd: place.folder, env: variables, patience: PEER_PATIENCE * 1_000 });
  const apply = async (place: Place, ...args: readonly string[]) => {
    const { wallMs, lines } = await tofu(place, "apply", "-auto-approve", "-no-color", ...args);
    return { totalMs: wallMs, wallMs, calls: callsIn(lines) };
  };
  return {
    async prepare(work, place) {
      await writeFile(join(place.folder, "main.tf"), configurationOf(work));
      await tofu(place, "init", "-no-color");
      if (work.operation !== "create") await apply(place);
    },
    async measure(work, place) {
      if (work.kind !== "stage") throw new Error("OpenTofu only has stages.");
      const changes = work.operation === "update" || work.operation === "replace" ? ["-var", "rev=1"] : [];
      const { calls, ...measured } = await apply(place, ...(work.operation === "destroy" ? ["-destroy"] : changes));
      // OpenTofu does not count a replaced resource as updated.
      checkCalls(calls, work.operation === "replace" ? { ...callsOf(work), update: 0 } : callsOf(work));
      return measured;
    },
  };
}

/** The calls that its output reports. */
function callsIn(lines: readonly string[]): Calls {
  const said = lines.join("\n");
  const [, create, update, gone] = /Resources: (\d+) added, (\d+) changed, (\d+) destroyed/.exec(said) ?? [];
  if (create === undefined) throw new Error(`OpenTofu did not say what it has done:\n${said}`);
  return { create: Number(create), update: Number(update), delete: Number(gone) };
}
