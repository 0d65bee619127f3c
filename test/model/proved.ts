/**
 * The model depends on nothing else, and its searches are deterministic: a result stays true until the model changes.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const FOLDER = new URL("./", import.meta.url);
const FILE = new URL("proved.txt", FOLDER);

/** SHA-256 of the present model and its cases, without comments. */
function present(): string {
  const hash = createHash("sha256");
  const names = readdirSync(FOLDER).filter((name) => /(?<!\.test|proved)\.ts$/.test(name));
  for (const name of names.sort()) hash.update(`${name}\n${codeOf(readFileSync(new URL(name, FOLDER), "utf8"))}\n`);
  return hash.digest("hex");
}

/** JavaScript of a source, printed by the compiler: a comment or a line break makes no other model. */
function codeOf(source: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, removeComments: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

/** Whether the whole search has passed with the present model. */
export function isProved(): boolean {
  return readFileSync(FILE, "utf8").trim() === present();
}

export function noteProved(): void {
  writeFileSync(FILE, `${present()}\n`);
}
