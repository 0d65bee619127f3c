/** `engine state forget`: drops records, and leaves the things alone. */
import { forget as drop, type Forgotten, fqnOf, rowOf } from "../../../core/admin/index.js";
import { print, printJson, say } from "../output.js";
import { approve, counted } from "./approval.js";
import type { InState } from "./in-state.js";

export async function forget({ settings, given }: InState, patterns: readonly string[]): Promise<void> {
  const lines = ({ records, scopes }: Forgotten): readonly string[] => [
    ...records.map(
      ({ key, kind, status }) => `${fqnOf(settings, key)}  (${kind}${status === "ready" ? "" : `, ${status}`})`,
    ),
    ...scopes.map((path) => `${fqnOf(settings, path)}/  (data of the scope)`),
  ];
  const what = await drop(settings, {
    patterns,
    force: given.force === true,
    approve: (found) =>
      approve(given, lines(found), `Forget ${amount(found)}? What is really there stays, and is nobody's.`),
  });
  const dependents = what.dependents.map((key) => fqnOf(settings, key));
  if (given.json === true) {
    const forgotten = what.records.map((record) => rowOf(settings, record));
    const scopes = what.scopes.map((path) => fqnOf(settings, path));
    return printJson({ app: settings.app, stage: settings.stage, forgotten, scopes, dependents });
  }
  for (const line of lines(what)) print(`forgotten  ${line}`);
  if (dependents.length > 0) say(`It is still referred to by ${dependents.join(", ")}.`);
}

function amount({ records, scopes }: Forgotten): string {
  const parts = [
    counted(records.length, "resource"),
    ...(scopes.length > 0 ? [`the data of ${counted(scopes.length, "scope")}`] : []),
  ];
  return parts.join(" and ");
}
