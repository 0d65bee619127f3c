/** `engine secrets rotate`: another password, or another key. */
import { readFile } from "node:fs/promises";
import { EngineError } from "../../../core/errors.js";
import { setHost } from "../../../core/host.js";
import { INTERNALS } from "../../../core/scope/internals.js";
import { type RekeyOptions, rekey, rotatePassword } from "../../index.js";
import { isAsking } from "../ask.js";
import { textOf } from "../flags.js";
import { print, printJson } from "../output.js";
import { counted } from "../state/approval.js";
import type { InState } from "../state/in-state.js";
import { unusableFile } from "../unusable-file.js";
import { askHidden } from "./ask-hidden.js";

export async function rotate({ app, store, settings, given }: InState): Promise<void> {
  const { rootDir, profile, lockTimeout, signal, password, env } = app.options;
  const { app: name, stage } = settings;
  const isRekeyed = given.rekey === true;
  const newPassword = await passwordFrom(given.newPasswordFile, env ?? process.env, !isRekeyed);
  const scope = textOf(given.scope);
  const options: RekeyOptions = {
    stage,
    stateStore: store,
    password,
    scope,
    rootDir,
    profile,
    lockTimeout,
    signal,
    env,
    newPassword,
  };
  // Its runs are the only ones that may open an app by now.
  setHost({
    opening: (root) => (root[INTERNALS].options.stateStore === store ? Promise.resolve() : new Promise(() => {})),
  });
  if (isRekeyed) {
    const count = await rekey(name, options);
    if (given.json === true)
      return printJson({ app: name, stage, rekeyed: count, newPassword: newPassword !== undefined });
    return print(
      `${counted(count, "secret")} of "${name}/${stage}" encrypted anew.${newPassword === undefined ? "" : REMINDER}`,
    );
  }
  const isDone = await rotatePassword(name, { ...options, newPassword: newPassword ?? "" });
  if (given.json === true) return printJson({ app: name, stage, rotated: isDone });
  print(
    isDone
      ? `The new password opens the secrets of "${name}/${stage}".${REMINDER}`
      : `"${name}/${stage}" has no secrets.`,
  );
}

const REMINDER = " Set ENGINE_PASSWORD to it wherever the program runs.";

async function passwordFrom(
  file: unknown,
  env: Readonly<Record<string, string | undefined>>,
  isNeeded: boolean,
): Promise<string | undefined> {
  const given = typeof file === "string" ? await firstLine(file) : env.ENGINE_NEW_PASSWORD;
  if (given !== undefined && given !== "") return given;
  if (!isNeeded) return undefined;
  if (isAsking()) return asked();
  throw new EngineError(
    "PASSWORD_REQUIRED",
    "The new password is missing: set ENGINE_NEW_PASSWORD, or pass --new-password-file.",
  );
}

async function asked(): Promise<string> {
  const first = await askHidden("New password: ");
  if (first === "") throw new EngineError("NOT_CONFIRMED", "Nothing was changed: no password was given.");
  if (first === (await askHidden("Once more: "))) return first;
  throw new EngineError("INVALID_ARGUMENT", "The two are not the same. Nothing was changed.");
}

async function firstLine(file: string): Promise<string> {
  try {
    const [line = ""] = (await readFile(file, "utf8")).split(/\r?\n/);
    if (line !== "") return line;
  } catch (error) {
    throw unusableFile(file, "read", error);
  }
  throw new EngineError("INVALID_ARGUMENT", `"${file}" has no password in its first line.`);
}
