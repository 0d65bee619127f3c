/** The compiler's verdict on a project: the native one, which needs a third of the time. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const tsc = fileURLToPath(new URL("../../../node_modules/typescript-native/bin/tsc", import.meta.url));

export interface Verdict {
  readonly status: number | null;
  /** One message a line, `FILE(LINE,COLUMN): error CODE: …`, and more of it in lines that begin with spaces. */
  readonly stdout: string;
  readonly stderr: string;
}

/** @param project its tsconfig, relative to the folder */
export function typeCheck(project: string, cwd: string): Verdict {
  const args = [tsc, "--project", project, "--pretty", "false", "--checkers", "1"];
  return spawnSync(process.execPath, args, { cwd, encoding: "utf8", maxBuffer: 1e9 });
}
