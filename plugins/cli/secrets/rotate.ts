/** `engine secrets rotate`: changes the password or key, and the data key. */
import { readFile } from "node:fs/promises";
import { Writable } from "node:stream";
import { EngineError } from "../../../core/base/index.js";
import type { HistoryCopy, RotationOptions } from "../../admin/operations/index.js";
import { written } from "../../internal/flags/table.js";
import { counted } from "../../internal/text/counted.js";
import { canAsk, confirm } from "../ask.js";
import { textOf } from "../flags.js";
import { unusableFile } from "../load-failure.js";
import { print, printJson, say } from "../output.js";
import type { InState } from "../state/in-state.js";

export async function rotate({ app, admin, given }: InState): Promise<void> {
  const env = app.options.env ?? process.env;
  const { app: name, stage } = admin;
  const isRekeyed = given.rekey === true;
  const next = await nextFrom(given, env, !isRekeyed);
  const scope = textOf(given.scope);
  const scopeOpener = scope === undefined ? {} : await scopeOpenerFrom(given, env);
  const options: RotationOptions = { scope, ...scopeOpener, ...next };
  if (scope === undefined) await tellOfCopies(admin, next, isRekeyed);
  if (isRekeyed) {
    const count = await admin.rekey(options);
    if (given.json === true)
      return printJson({
        app: name,
        stage,
        rekeyed: count,
        newPassword: next.newPassword !== undefined,
        newKey: next.newKey !== undefined,
      });
    return print(`${counted(count, "secret")} of "${name}/${stage}" re-encrypted.${reminderOf(next)}`);
  }
  const isDone = await admin.rotate(options);
  if (given.json === true) return printJson({ app: name, stage, rotated: isDone });
  const what = next.newKey === undefined ? "password" : "key";
  print(
    isDone
      ? `The new ${what} opens the secrets of "${name}/${stage}".${reminderOf(next)}`
      : `"${name}/${stage}" has no secrets.`,
  );
}

/**
 * Warns about copies that will be unusable: a copy has the data key of its time, which needs the password or key of
 * that time.
 */
async function tellOfCopies(admin: InState["admin"], next: Next, isRekeyed: boolean): Promise<void> {
  const isOther = next.newPassword !== undefined || next.newKey !== undefined;
  const isLost = ({ seal, keyChange }: HistoryCopy): boolean => {
    if (seal !== "verified") return false;
    // A verified seal was checked with the current data key, or with the copy's own one, which the current password or
    // key opens.
    return keyChange === "data-key" ? isOther : isRekeyed && (isOther || keyChange === "opener");
  };
  const lost = (await admin.history()).filter(isLost);
  if (lost.length === 0) return;
  const copies = lost.length === 1 ? "1 copy" : `${lost.length} copies`;
  const seqs = lost.map(({ seq }) => seq).join(", ");
  say(
    `After this, ${copies} of the state (${seqs} in the history) cannot be restored any more, because they need an earlier password or key. The state itself stays readable.`,
  );
  if (canAsk() && !(await confirm("Continue?")))
    throw new EngineError("NOT_CONFIRMED", "Nothing was changed because you did not confirm.");
}

type Next = Pick<RotationOptions, "newPassword" | "newKey">;

function reminderOf({ newPassword, newKey }: Next): string {
  if (newKey !== undefined) {
    const isText = typeof newKey === "string";
    return ` Update ${isText ? "ENGINE_KEY" : "ENGINE_KEY_COMMAND"} wherever the program runs.`;
  }
  return newPassword === undefined ? "" : " Update ENGINE_PASSWORD wherever the program runs.";
}

/** Returns the current password or key of the scope, if it is not the one of the stage. */
async function scopeOpenerFrom(
  { scopePasswordFile, scopeKeyFile }: InState["given"],
  env: Environment,
): Promise<Pick<RotationOptions, "scopePassword" | "scopeKey">> {
  const [passwordFile, keyFile] = [textOf(scopePasswordFile), textOf(scopeKeyFile)];
  if (passwordFile !== undefined) return { scopePassword: await firstLine(passwordFile) };
  if (keyFile !== undefined) return { scopeKey: await read(keyFile) };
  const { ENGINE_SCOPE_PASSWORD, ENGINE_SCOPE_KEY } = env;
  if (ENGINE_SCOPE_PASSWORD) return { scopePassword: ENGINE_SCOPE_PASSWORD };
  return ENGINE_SCOPE_KEY ? { scopeKey: ENGINE_SCOPE_KEY } : {};
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the new password or key from the command line, else from the environment. */
async function nextFrom(given: InState["given"], env: Environment, isNeeded: boolean): Promise<Next> {
  const { newPasswordFile, newKeyFile, newKeyCommand } = given;
  const flags = only([
    { name: written("new-password-file"), text: textOf(newPasswordFile), read: passwordIn },
    { name: written("new-key-file"), text: textOf(newKeyFile), read: keyIn },
    { name: written("new-key-command"), text: textOf(newKeyCommand), read: keyOfCommand },
  ]);
  const said =
    flags ??
    only([
      { name: "ENGINE_NEW_PASSWORD", text: env.ENGINE_NEW_PASSWORD, read: (newPassword) => ({ newPassword }) },
      { name: "ENGINE_NEW_KEY", text: env.ENGINE_NEW_KEY, read: (newKey) => ({ newKey }) },
      { name: "ENGINE_NEW_KEY_COMMAND", text: env.ENGINE_NEW_KEY_COMMAND, read: keyOfCommand },
    ]);
  if (said?.text) return said.read(said.text);
  if (!isNeeded) return {};
  if (canAsk()) return { newPassword: await asked() };
  throw new EngineError(
    "PASSWORD_REQUIRED",
    "The new password or key is missing: set ENGINE_NEW_PASSWORD or ENGINE_NEW_KEY, or pass --new-password-file, --new-key-file or --new-key-command.",
  );
}

interface SaidNext {
  readonly name: string;
  readonly text: string | undefined;
  read(text: string): Next | Promise<Next>;
}

function only(said: readonly SaidNext[]): SaidNext | undefined {
  const [first, second] = said.filter(({ text }) => text);
  if (!second) return first;
  throw new EngineError(
    "INVALID_ARGUMENT",
    `${first?.name} and ${second.name} cannot be combined. Leave one of them out.`,
  );
}

async function passwordIn(file: string): Promise<Next> {
  return { newPassword: await firstLine(file) };
}

async function keyIn(file: string): Promise<Next> {
  return { newKey: (await read(file)) || "\n" };
}

function keyOfCommand(command: string): Next {
  return { newKey: { command } };
}

async function asked(): Promise<string> {
  const first = await askHidden("New password: ");
  if (first === "") throw new EngineError("NOT_CONFIRMED", "Nothing was changed because you gave no password.");
  if (first === (await askHidden("Repeat the password: "))) return first;
  throw new EngineError("INVALID_ARGUMENT", "The two passwords differ. Nothing was changed.");
}

async function firstLine(file: string): Promise<string> {
  const [line = ""] = (await read(file)).split(/\r?\n/);
  if (line !== "") return line;
  throw new EngineError("INVALID_ARGUMENT", `The first line of "${file}" is empty. Write the password there.`);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw unusableFile(file, "read", error);
  }
}

/** Asks without showing the answer; empty if there was none. */
async function askHidden(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // After createInterface(): until then the terminal echoes the input.
  process.stderr.write(question);
  // The end of the input and Ctrl-C do not settle a question.
  const closed = new Promise<string>((resolve) => {
    lines.once("close", () => resolve(""));
    lines.once("SIGINT", () => resolve(""));
  });
  try {
    return await Promise.race([lines.question(""), closed]);
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
