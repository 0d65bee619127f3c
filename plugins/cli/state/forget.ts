/** `engine state forget`: drops records, and leaves the things alone. */
import type { Forgotten } from "../../admin/operations/index.js";
import { print, printJson, say } from "../output.js";
import { approve, counted } from "./approval.js";
import type { InState } from "./in-state.js";

export async function forget({ admin, given }: InState, patterns: readonly string[]): Promise<void> {
  const lines = ({ resources, scopes, retained }: Forgotten): readonly string[] => [
    ...resources.map(({ fqn, kind, status }) => `${fqn}  (${kind}${status === "ready" ? "" : `, ${status}`})`),
    ...scopes.map((fqn) => `${fqn}/  (data of the scope)`),
    ...retained.map(({ fqn, kind, name }) => `${fqn}  (${kind}, retained as "${name}")`),
  ];
  const what = await admin.forget(patterns, {
    force: given.force === true,
    retained: given.retained === true,
    approve: (found) =>
      approve(given, lines(found), `Forget ${amount(found)}? What is really there stays, and is nobody's.`),
  });
  const { app, stage } = admin;
  const { resources: forgotten, copies, scopes, dependents, retained } = what;
  if (given.json === true) return printJson({ app, stage, forgotten, copies, scopes, dependents, retained });
  for (const line of lines(what)) print(`forgotten  ${line}`);
  for (const fqn of new Set(copies.filter(({ replaced }) => replaced).map((copy) => copy.fqn)))
    say(`An old copy of ${fqn} stays recorded: the next run deletes it, unless "engine state keep --copy" keeps it.`);
  if (dependents.length > 0) say(`It is still referred to by ${dependents.join(", ")}.`);
}

function amount({ resources, scopes, retained }: Forgotten): string {
  if (retained.length > 0) return `${counted(retained.length, "name")} of retained resources`;
  const parts = [
    counted(resources.length, "resource"),
    ...(scopes.length > 0 ? [`the data of ${counted(scopes.length, "scope")}`] : []),
  ];
  return parts.join(" and ");
}
