/** Which environment variable a line of the program reads: for an error that is about to be thrown. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files of this package that stand between the program and here. */
const OWN = /[/\\]secrets[/\\](secret|missing-variable|api)\.[jt]s$/;
const FRAME = /(file:\/\/\S+|\/\S+|[A-Za-z]:\\\S+):(\d+):\d+\)?$/;
const VARIABLE = /\benv(?:\.([A-Za-z_]\w*)|\[\s*["'`]([^"'`]+)["'`]\s*\])/;

/** @param stack of an error made where the value was needed */
export function missingVariable(stack: string | undefined): string | undefined {
  for (const line of (stack ?? "").split("\n")) {
    const [, where = "", number = ""] = FRAME.exec(line.trim()) ?? [];
    if (where === "" || OWN.test(where)) continue;
    const [, plain, quoted] = VARIABLE.exec(lineOf(where, Number(number))) ?? [];
    return plain ?? quoted;
  }
  return undefined;
}

function lineOf(where: string, number: number): string {
  try {
    const path = where.startsWith("file:") ? fileURLToPath(where) : where;
    return readFileSync(path, "utf8").split("\n")[number - 1] ?? "";
  } catch {
    return ""; // Bundled, or gone since it was loaded: the error says the rest.
  }
}
