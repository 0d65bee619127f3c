/** What is wrong with the text of a `tsconfig.json`: the reader of these takes half of one as well. */
import { readFileSync } from "node:fs";
import { EngineError, messageOf } from "../../../core/base/index.js";
import { loadBuilt } from "./built.js";
import { SourceFault } from "./compiled.js";
import { faultsText } from "./faults.js";

/** Texts in quotes, comments, and commas that nothing follows. */
const PARTS = /"(?:[^"\\\n]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** @throws EngineError `INVALID_PROGRAM` */
export function checkConfigs(paths: readonly string[]): void {
  const faults = [...new Set(paths)].flatMap((path) => faultIn(path, readFileSync(path, "utf8")) ?? []);
  if (faults.length > 0) throw new EngineError("INVALID_PROGRAM", faultsText(faults));
}

function faultIn(path: string, text: string): SourceFault | undefined {
  const plain = text.replace(/^\uFEFF/, "").replace(PARTS, (part) => (part.startsWith('"') ? part : " "));
  if (plain.trim() === "") return undefined;
  try {
    JSON.parse(plain);
    return undefined;
  } catch (error) {
    const fault = loadBuilt<typeof import("./babel.js")>("babel").valueFault(path, text);
    const { message = messageOf(error), line, column } = fault ?? { line: 1, column: 1 };
    const lines = text.trimEnd().split("\n");
    if (line <= lines.length) return new SourceFault(`This is no JSON: ${message}`, { path, line, column });
    const end = { path, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
    return new SourceFault("This is no JSON: it ends too early", end);
  }
}
