/** Whether the user of this machine wants telemetry: a small file among the user's own settings. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { EngineError, messageOf } from "../../core/errors.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Preference {
  /** Undefined where the user has not said anything. */
  readonly enabled: boolean | undefined;
  /** Path of the file that says so, or would. */
  readonly file: string;
}

/** A file that cannot be read counts as a no. */
export function readPreference(env: Environment): Preference {
  const file = fileOf(env);
  try {
    return { enabled: JSON.parse(readFileSync(file, "utf8")).enabled === true, file };
  } catch (error) {
    return { enabled: Reflect.get(Object(error), "code") === "ENOENT" ? undefined : false, file };
  }
}

/** @throws EngineError `STORE_FAILED` where the file cannot be written */
export function writePreference(env: Environment, enabled: boolean): Preference {
  const file = fileOf(env);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ enabled })}\n`);
  } catch (error) {
    throw unwritable(file, error);
  }
  return { enabled, file };
}

/** The variable that switches telemetry off, if one does. */
export function switchedOffBy(env: Environment): string | undefined {
  return ["DO_NOT_TRACK", "ENGINE_TELEMETRY_DISABLED"].find((name) => !["", "0", "false"].includes(env[name] ?? ""));
}

function fileOf(env: Environment): string {
  const folder = env.XDG_CONFIG_HOME || (process.platform === "win32" && env.APPDATA) || join(homedir(), ".config");
  return join(folder, "scope-engine", "telemetry.json");
}

function unwritable(file: string, cause: unknown): EngineError {
  return new EngineError("STORE_FAILED", `"${file}" could not be written: ${messageOf(cause)}.`, { cause });
}
