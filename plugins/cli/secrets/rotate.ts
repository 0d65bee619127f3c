/** `engine secrets rotate`: another password or key, and another data key. */
import { readFile } from "node:fs/promises";
import { Writable } from "node:stream";
import { EngineError } from "../../../core/base/index.js";
import type { HistoryCopy, RotationOptions } from "../../admin/operations/index.js";
import { written } from "../../internal/flags/table.js";
import { confirm, isAsking } from "../ask.js";
import { textOf } from "../flags.js";
import { unusableFile } from "../load-failure.js";
import { print, printJson, say } from "../output.js";
import { counted } from "../state/approval.js";
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
    return print(`${counted(count, "secret")} of "${name}/${stage}" encrypted anew.${reminderOf(next)}`);
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

/** Before they are of no use: a copy has the data key of its time, which the password or key of that time opens. */
async function tellOfCopies(admin: InState["admin"], next: Next, isRekeyed: boolean): Promise<void> {
  const isOther = next.newPassword !== undefined || next.newKey !== undefined;
  const isLost = ({ seal, keyChange }: HistoryCopy): boolean => {
    if (seal !== "verified") return false;
    // What proves it is the present data key, or its own one, which the present password or key opens.
    return keyChange === "data-key" ? isOther : isRekeyed && (isOther || keyChange === "opener");
  };
  const lost = (await admin.history()).filter(isLost);
  if (lost.length === 0) return;
  const copies = lost.length === 1 ? "1 copy" : `${lost.length} copies`;
  const seqs = lost.map(({ seq }) => seq).join(", ");
  say(
    `After this, ${copies} of the state cannot be restored any more (${seqs} in the history): the password or key that opens them is given up. The state itself stays readable.`,
  );
  if (isAsking() && !(await confirm("Go on?")))
    throw new EngineError("NOT_CONFIRMED", "Nothing was changed: that was not confirmed.");
}

type Next = Pick<RotationOptions, "newPassword" | "newKey">;

function reminderOf({ newPassword, newKey }: Next): string {
  if (newKey !== undefined) {
    const isText = typeof newKey === "string";
    return ` Set ${isText ? "ENGINE_KEY" : "ENGINE_KEY_COMMAND"} to it wherever the program runs.`;
  }
  return newPassword === undefined ? "" : " Set ENGINE_PASSWORD to it wherever the program runs.";
}

/** What opens the scope at present, where that is not what opens the stage. */
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

/** What was given on the command line, else by the environment; one of them. */
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
  if (isAsking()) return { newPassword: await asked() };
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
  throw new EngineError("INVALID_ARGUMENT", `${first?.name} and ${second.name} exclude each other.`);
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
  if (first === "") throw new EngineError("NOT_CONFIRMED", "Nothing was changed: no password was given.");
  if (first === (await askHidden("Once more: "))) return first;
  throw new EngineError("INVALID_ARGUMENT", "The two are not the same. Nothing was changed.");
}

async function firstLine(file: string): Promise<string> {
  const [line = ""] = (await read(file)).split(/\r?\n/);
  if (line !== "") return line;
  throw new EngineError("INVALID_ARGUMENT", `"${file}" has no password in its first line.`);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw unusableFile(file, "read", error);
  }
}

/** Empty where there was no answer. */
async function askHidden(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Not before: until then the terminal itself shows what is typed.
  process.stderr.write(question);
  // Neither the end of the input nor Ctrl-C settles a question.
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
