/** `engine state forget`, `keep` and `purge`: change records, but not the real resources. */
import type { Forgotten, Kept, ListedResource } from "../../admin/operations/index.js";
import { counted } from "../../internal/text/counted.js";
import { textOf } from "../flags.js";
import { print, printJson, say } from "../output.js";
import { approve } from "./approval.js";
import type { InState } from "./in-state.js";

export async function forget({ admin, given }: InState, patterns: readonly string[]): Promise<void> {
  const lines = ({ resources, scopes, retained }: Forgotten): readonly string[] => [
    ...resources.map(({ fqn, kind, status }) => `${fqn}  (${kind}${status === "ready" ? "" : `, ${status}`})`),
    ...scopes.map((fqn) => `${fqn}/  (data of the scope)`),
    ...retained.map(
      ({ fqn, kind, name, movedTo }) =>
        `${fqn}  (${kind}, ${movedTo === undefined ? `retained as "${name}"` : `moved to ${movedTo} as "${name}"`})`,
    ),
  ];
  const what = await admin.forget(patterns, {
    force: given.force === true,
    retained: given.retained === true,
    approve: (found) =>
      approve(
        given,
        lines(found),
        `Remove ${amount(found)} from the state? The real resources stay, and no program manages them.`,
      ),
  });
  const { app, stage } = admin;
  const { resources: forgotten, copies, scopes, dependents, retained } = what;
  if (given.json === true) return printJson({ app, stage, forgotten, copies, scopes, dependents, retained });
  for (const line of lines(what)) print(`forgotten  ${line}`);
  for (const fqn of new Set(copies.filter(({ replaced }) => replaced).map((copy) => copy.fqn)))
    say(
      `An old copy of ${fqn} is still recorded, so the next run deletes that real resource. To prevent that, run: engine state keep ${fqn} --copy <uid>. "engine state show ${fqn}" prints the uid.`,
    );
  if (dependents.length > 0) {
    const refer = dependents.length === 1 ? "refers" : "refer";
    say(`${dependents.join(", ")} still ${refer} to a resource that was removed from the state.`);
  }
}

function amount({ resources, scopes, retained }: Forgotten): string {
  if (retained.length > 0) return `${counted(retained.length, "name")} of retained resources`;
  const parts = [
    counted(resources.length, "resource"),
    ...(scopes.length > 0 ? [`the data of ${counted(scopes.length, "scope")}`] : []),
  ];
  return parts.join(" and ");
}

/** `engine state keep`: records that a resource still exists. */
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
  if (copy !== undefined) return `Keep this old copy of "${fqn}"? The real resource stays, and its record is deleted.`;
  return `Keep "${fqn}"? The next run treats it as an existing resource.`;
}

/** `engine state purge`: removes journal and history of an empty stage. */
export async function purge({ admin, given }: InState): Promise<void> {
  const { app, stage } = admin;
  const name = `${app}/${stage}`;
  const purged = await admin.purge({
    history: given.history === true,
    approve({ history }) {
      const copies = history > 0 ? ` and its copies in the history (${history})` : "";
      return approve(given, [], `Remove the journal of ${name}${copies}? This cannot be undone.`);
    },
  });
  if (given.json === true) return printJson({ app, stage, ...purged });
  print(`${name}: removed ${counted(purged.keys, "key")} of the journal, ${purged.history} of the history`);
}
