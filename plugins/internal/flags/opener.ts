/** Reads the password or key that a flag names. */
import { readFileSync } from "node:fs";
import { EngineError, messageOf } from "../../../core/base/index.js";
import type { OpenerOptions } from "./fill-options.js";
import type { OpenerFlag } from "./flag.js";

/** @throws EngineError `INVALID_ARGUMENT` */
export function openerOf(opener: OpenerFlag): OpenerOptions["options"] {
  if (opener.from === "keyCommand") return { key: { command: opener.text } };
  return opener.from === "keyFile" ? { key: read(opener) } : { password: firstLine(opener) };
}

function firstLine(opener: OpenerFlag): string {
  const [line = ""] = read(opener).split(/\r?\n/, 1);
  if (line !== "") return line;
  throw unusable(opener, "has no password in its first line");
}

function read(opener: OpenerFlag): string {
  try {
    return readFileSync(opener.text, "utf8") || "\n";
  } catch (error) {
    throw unusable(opener, `cannot be read: ${messageOf(error)}`, error);
  }
}

function unusable({ flag, text: file }: OpenerFlag, why: string, cause?: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `Argument ${flag}: "${file}" ${why}.`, { cause });
}
