/** Checks whether a secret appears in clear anywhere in a history. */
import { hash } from "node:crypto";

/** Prefix of every secret value of a simulated program. */
export const SECRET = "sesame-";

/** Checkpoints are long, and repeat the journal; they are printed only if there is a secret in them. */
export function shortened(key: string, text: string): string {
  if (key.includes("/journal/")) return text.trimEnd();
  return `${hash("sha256", text, "hex").slice(0, 16)}${text.includes(SECRET) ? ` ${SECRET}` : ""}`;
}

export function secretsIn(trace: readonly string[]): string[] {
  const found = trace.find((line) => line.includes(SECRET));
  return found === undefined ? [] : [`clear: a secret stands in ${found.slice(0, 300)}`];
}
