/** Detects a parent that restarts this process when a file changes. */
import { readFileSync } from "node:fs";
import { childEnvironment } from "./child-process.js";

/** Returns the parent's common name; undefined if no known one is found. */
export function outerWatch(): string | undefined {
  // Node passes only this variable to the process that it starts; `execArgv` does not contain the flag.
  if (process.env.WATCH_REPORT_DEPENDENCIES) return "node --watch";
  return isUnderTsx(process.execArgv) && isTsxWatch(commandOf(process.ppid)) ? "tsx watch" : undefined;
}

function isUnderTsx(execArgv: readonly string[]): boolean {
  return execArgv.some((arg) => /[\\/]tsx[\\/]dist[\\/]preflight\.c?js$/.test(arg));
}

/** tsx passes nothing to the process that it starts, but it is the parent, and its own arguments name the mode. */
function isTsxWatch(command: readonly string[]): boolean {
  const script = command.findIndex((arg) => /[\\/]tsx(?:\.[cm]?js|[\\/]dist[\\/]cli\.[cm]?js)?$/.test(`/${arg}`));
  return script >= 0 && command[script + 1] === "watch";
}

/** Returns the arguments of a process; none if the system does not reveal them. */
function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return asPsHasIt(pid);
  }
}

function asPsHasIt(pid: number): readonly string[] {
  try {
    // Loaded lazily: it takes milliseconds, and few runs need it.
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
