/** `engine state keep`: says that a resource is still there. */
import type { Kept, ListedResource } from "../../admin/operations/index.js";
import { textOf } from "../flags.js";
import { print, printJson } from "../output.js";
import { approve } from "./approval.js";
import type { InState } from "./in-state.js";

export async function keep({ admin, given }: InState, name: string): Promise<void> {
  const copy = textOf(given.copy);
  const kept = await admin.keep(name, {
    ...(copy === undefined ? {} : { copy }),
    approve: (what) => approve(given, linesOf(what), questionOf(what)),
  });
  const { app, stage } = admin;
  if (given.json === true) return printJson({ app, stage, ...kept });
  for (const line of linesOf(kept)) print(`kept  ${line}`);
}

function linesOf({ resource, children }: Kept): readonly string[] {
  return [resource, ...children].map(lineOf);
}

function lineOf({ fqn, kind, status, replaced }: ListedResource): string {
  return `${fqn}  (${kind}, ${replaced ? "old copy" : status})`;
}

function questionOf({ copy, resource: { fqn } }: Kept): string {
  if (copy !== undefined) return `Keep this old copy of "${fqn}"? It stays as it is, and is no longer recorded.`;
  return `Keep "${fqn}"? The next run takes it for a resource that is there.`;
}
