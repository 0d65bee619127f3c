/** What must hold between what is really there and what is recorded. */
import type { Contents } from "../../../core/state/change.js";
import type { Program } from "./commands.ts";
import type { Warning } from "./life.ts";
import type { Thing } from "./reality.ts";

type Things = ReadonlyMap<string, Thing>;

/**
 * At any time: whatever is there is recorded, be it as pending; but for what was made by a create of which a warning
 * said that it may be there twice.
 */
export function unrecorded(things: Things, { records }: Contents, told: readonly Warning[]): string[] {
  const lost = [...things].filter(([, { uid }]) => !records.has(uid));
  if (lost.every(([, { id }]) => id === "plain") && lost.length <= repeated(told)) return [];
  return lost.map(([name]) => `${name} is there and not recorded`);
}

/** At any time: a type that passes its token on, or that can be read, never makes a thing twice. */
export function doubles(things: Things): string[] {
  const seen = new Map<string, string>();
  return [...things].flatMap(([name, { id, uid }]) => {
    const other = seen.get(uid);
    seen.set(uid, name);
    return other === undefined || id === "plain" ? [] : `${other} and ${name} are one resource`;
  });
}

/** What is left after a destroy: things of which a warning said that they may be there twice. */
export function ambiguous(things: Things, told: readonly Warning[]): string[] {
  const left = [...things.keys()];
  const others = [...things].flatMap(([name, { id }]) => (id === "plain" ? [] : `${name} is left after a destroy`));
  if (left.length > repeated(told)) others.push(`${left.join(", ")} are left, ${repeated(told)} were told of`);
  return others;
}

/** After a run that succeeded: each resource of the program is there as declared, and nothing else is. */
export function differences(
  { lines }: Program,
  { records }: Contents,
  things: Things,
  told: readonly Warning[],
): string[] {
  const problems: string[] = [];
  const doubted = told.some(({ code }) => code === "UNRESOLVED");
  const byKey = new Map([...records.values()].map((record) => [record.key, record]));
  for (const [id, { value }] of lines) {
    const record = byKey.get(id);
    if (record?.status !== "ready") problems.push(`${id} is ${record?.status ?? "not recorded"}`);
    const own = [...things.values()].filter(({ uid }) => uid === record?.uid);
    if (!own.some((thing) => thing.value === value)) problems.push(`${id} is not there as declared`);
    if (own.length > 1 && (id !== "plain" || own.length - 1 > repeated(told))) problems.push(`${id} is there twice`);
  }
  for (const { key } of records.values()) {
    const [id = ""] = key.split("/");
    const isDeclared = [...lines.keys()].some((one) => one === id);
    // What nobody can tell anything about stays, and so does what it may have been made from.
    if (!isDeclared && !doubted) problems.push(`${key} is recorded, and not declared any more`);
  }
  return problems;
}

function repeated(told: readonly Warning[]): number {
  return told.filter(({ code }) => code === "REPEATED_CREATE").length;
}
