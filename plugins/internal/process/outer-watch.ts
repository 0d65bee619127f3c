/** Whether the process was started by something that starts it again when a file changes. */
import { readFileSync } from "node:fs";
import { childEnvironment } from "./child-process.js";

/** Its name, as people call it; undefined where nothing of that kind is known. */
export function outerWatch(): string | undefined {
  // The only thing that Node tells the process that it starts; `execArgv` does not have the flag.
  if (process.env.WATCH_REPORT_DEPENDENCIES) return "node --watch";
  return isUnderTsx(process.execArgv) && isTsxWatch(commandOf(process.ppid)) ? "tsx watch" : undefined;
}

function isUnderTsx(execArgv: readonly string[]): boolean {
  return execArgv.some((arg) => /[\\/]tsx[\\/]dist[\\/]preflight\.c?js$/.test(arg));
}

/** tsx tells the process nothing of it; but it is what has started it, and its own arguments say how. */
function isTsxWatch(command: readonly string[]): boolean {
  const script = command.findIndex((arg) => /[\\/]tsx(?:\.[cm]?js|[\\/]dist[\\/]cli\.[cm]?js)?$/.test(`/${arg}`));
  return script >= 0 && command[script + 1] === "watch";
}

/** Arguments of a process; none where the system does not tell. */
function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return asPsHasIt(pid);
  }
}

function asPsHasIt(pid: number): readonly string[] {
  try {
    // Loaded where it is needed: nearly no run needs it, and it takes milliseconds.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
    const options = { encoding: "utf8", env: childEnvironment(), stdio } as const;
    return execFileSync("ps", ["-ww", "-o", "args=", "-p", `${pid}`], options)
      .trim()
      .split(/\s+/);
  } catch {
    return []; // Windows has no ps.
  }
}
