import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, relative, resolve } from "node:path";
import type { Command } from "commander";
import { EngineError, nameProblem } from "../../../core/base/index.js";
import { ask, isAsking } from "../ask.js";
import { addFlags } from "../flags.js";
import { type InitStore, STORES, writeProject } from "../init/project.js";
import { print, say } from "../output.js";
import type { Given } from "../run-command.js";

const CHOICE = Object.keys(STORES).join(", ");

export function addInit(program: Command): void {
  const command = program
    .command("init [folder]")
    .summary("write a first program: engine.run.ts, lines for .gitignore, tsconfig.json if missing")
    .description(
      "Writes a first program, engine.run.ts, adds lines to .gitignore, and writes a tsconfig.json where there is none. Asks on a terminal; nothing that is there is overwritten.",
    )
    .action((folder: string | undefined, given: Given) => init(resolve(folder ?? "."), given));
  addFlags(command);
}

async function init(folder: string, { name, store, yes }: Given): Promise<void> {
  if (existsSync(resolve(folder, "engine.run.ts"))) {
    throw new EngineError(
      "FILE_EXISTS",
      `"${resolve(folder, "engine.run.ts")}" is there already, and was left as it is.`,
    );
  }
  const asks = yes !== true && isAsking();
  if (yes !== true && !asks) {
    throw new EngineError(
      "NOT_CONFIRMED",
      "Nothing was written: nobody is there to be asked. Pass --yes to take the defaults.",
    );
  }
  const app = await answer(name, { asks, what: "Name of the app", usual: nameOf(folder), problem: nameProblem });
  const where = await answer(store, {
    asks,
    what: `Where the state is kept: ${CHOICE}`,
    usual: "files",
    problem: storeProblem,
  });
  const written = await writeProject(folder, { app, store: isStore(where) ? where : "files" });
  for (const { file, what } of written) print(`${what.padEnd(8)} ${relative(process.cwd(), file) || file}`);
  const enter = relative(process.cwd(), folder);
  print("");
  print("Next:");
  for (const step of nextSteps(enter, isStore(where) ? where : "files")) print(`  ${step}`);
}

interface Question {
  readonly asks: boolean;
  readonly what: string;
  readonly usual: string;
  /** Why it cannot be the answer. */
  problem(text: string): string | undefined;
}

async function answer(given: unknown, { asks, what, usual, problem }: Question): Promise<string> {
  const next = async (): Promise<string> => (await ask(`${what} [${usual}] `)) || usual;
  let text = typeof given === "string" ? given : asks ? await next() : usual;
  for (let wrong = problem(text); wrong !== undefined; wrong = problem(text)) {
    if (typeof given === "string" || !asks) throw new EngineError("INVALID_ARGUMENT", `${what}: ${wrong}.`);
    say(`${wrong}.`);
    text = await next();
  }
  return text;
}

/** The folder's name, as far as it can be an app's. */
function nameOf(folder: string): string {
  const name = basename(folder);
  return nameProblem(name) === undefined ? name : "my-app";
}

/** @param folder to go into; empty: none */
function nextSteps(folder: string, store: InitStore): readonly string[] {
  const { needs } = STORES[store];
  const wanted = ["scope-engine", ...(needs === undefined ? [] : [needs])];
  const { resolve: find } = createRequire(resolve(folder, "engine.run.js"));
  const missing = (names: readonly string[]): string =>
    names.filter((name) => !isFound(() => find(`${name}/package.json`))).join(" ");
  const [packages, types] = [missing(wanted), missing(["typescript", "@types/node"])];
  return [
    ...(folder === "" ? [] : [`cd ${folder}`]),
    ...(packages === "" ? [] : [`npm install ${packages}`]),
    ...(types === "" ? [] : [`npm install --save-dev ${types}     # types, for an editor and tsc`]),
    "npx engine plan     # what a run would do",
    "npx engine up       # do it",
  ];
}

function isFound(find: () => string): boolean {
  try {
    return find() !== "";
  } catch {
    return false;
  }
}

function storeProblem(text: string): string | undefined {
  return isStore(text) ? undefined : `"${text}" is none of ${CHOICE}`;
}

function isStore(text: string): text is InitStore {
  return Object.hasOwn(STORES, text);
}
