/** `engine state move`: another name for a resource or a scope. */
import { print, printJson } from "../output.js";
import { approve, counted } from "./approval.js";
import type { InState } from "./in-state.js";

export async function move({ admin, given }: InState, from: string, to: string): Promise<void> {
  const moved = await admin.move(from, to, {
    force: given.force === true,
    approve: (what) => approve(given, what.resources, `Move "${what.from}" to "${what.to}"?`),
  });
  if (given.json === true) return printJson({ app: admin.app, stage: admin.stage, ...moved });
  print(
    `"${moved.from}" is "${moved.to}" now, with ${counted(moved.resources.length, "resource")}. Give it that name in the program, too.`,
  );
}
