/** Runs the program again whenever one of its files changes, until a signal ends the session. */

import { constants } from "node:os";
import { relative, resolve } from "node:path";
import { ignore, withResolvers } from "../../../core/base/index.js";
import { newSession } from "../../processes/kept/session.js";
import { isFile } from "../entry.js";
import { endProcess, say } from "../output.js";
import type { Given } from "../run-command.js";
import type { Run } from "../run-entry.js";
import { type News, SESSION_SIGNALS, type SessionSignal, type Source } from "./messages.js";
import { endProcesses, foldersInUse, killProcesses, startGuard } from "./session-guard.js";
import { NOTHING, stampOf, WatchedFiles } from "./watched-files.js";
import { type RunEnd, WatchedRun } from "./watched-run.js";

/** Maximum of changed files that are named. */
const MOST = 5;

export interface SessionOptions extends Run {
  /** True to print only failures. */
  readonly isQuiet?: boolean;
}

/** Resolves with the exit code of the process when the session has ended. */
async function runSession(given: SessionOptions): Promise<number> {
  const session = newSession();
  const signals = new SessionSignals();
  const files = await WatchedFiles.open();
  const tell = (line: string): void => {
    if (!given.isQuiet) say(line);
  };
  const folders = new Set<string>();
  const guarded = new Set<string>();
  const always = [given.entry, resolve(given.envFile ?? ".env")];
  files.follow(always.map(stamped));
  try {
    while (signals.code === undefined) {
      const changed = files.changed();
      if (!isFile(given.entry)) say(`"${named(given.entry)}" does not exist; waiting for it`);
      else {
        const run = new WatchedRun(given, session, (news) => hear(news, { files, folders, always }));
        signals.reach(run);
        const first = await Promise.race([changed, run.ended.then(() => undefined)]);
        if (first && signals.code === undefined) tell(changes(first));
        if (first && signals.code === undefined) await run.end();
        const end = await run.ended;
        if (signals.code !== undefined) break;
        await guard(session, folders, guarded);
        if (!first) sayEnd(end);
        else {
          files.follow(files.sources.map(again));
          continue;
        }
      }
      tell(waiting(files.sources.filter(({ stamp }) => stamp !== NOTHING).length));
      const seen = await Promise.race([changed, signals.first]);
      if (!seen) break;
      tell(changes(seen));
      files.follow(files.sources.map(again));
    }
  } finally {
    await files.close();
    void signals.again.then(() => killProcesses(folders, session)).catch(ignore);
    await endProcesses(folders, session);
    signals.close();
  }
  return signals.code ?? 0;
}

/** Starts guards for the running processes: when no program runs, only the session knows them. */
async function guard(session: string, folders: ReadonlySet<string>, guarded: Set<string>): Promise<void> {
  for (const folder of await foldersInUse(folders, session)) {
    if (!guarded.has(folder)) startGuard(session, folder);
    guarded.add(folder);
  }
}

interface Hearing {
  readonly files: WatchedFiles;
  readonly folders: Set<string>;
  /** Files that are always watched. */
  readonly always: readonly string[];
}

function hear(news: News, { files, folders, always }: Hearing): void {
  if (news.type === "opened") folders.add(news.rootDir);
  if (news.type !== "sources") return;
  const told = new Map(news.sources.map((source) => [source.path, source]));
  // After a fault the list is incomplete, so the earlier files stay watched.
  const kept = news.failed ? files.sources : files.sources.filter(({ path }) => always.includes(path));
  files.follow([...kept.filter(({ path }) => !told.has(path)), ...told.values()]);
}

function stamped(path: string): Source {
  return { path, stamp: stampOf(path) };
}

/** Returns the file with its current stamp. */
function again({ path }: Source): Source {
  return stamped(path);
}

/** Reports an unsuccessful end of the program; a failed run has reported its errors itself. */
function sayEnd({ code, signal }: RunEnd): void {
  if (signal !== null) say(`the program was ended by ${signal}`);
  else if (code !== 0) say(`the program failed (exit code ${code})`);
}

function waiting(count: number): string {
  return `watching ${count} ${count === 1 ? "file" : "files"} for changes (Ctrl-C ends the session)`;
}

function changes(files: readonly string[]): string {
  const more = files.length - MOST;
  return `changed: ${files.slice(0, MOST).map(named).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function named(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") ? path : near;
}

/** Milliseconds until a program is killed after a second interruption. */
const LAST = 500;

class SessionSignals {
  readonly #first = withResolvers<void>();
  #code: number | undefined;
  readonly #counts = new Map<SessionSignal, number>();
  readonly #again = withResolvers<void>();
  #run: WatchedRun | undefined;

  constructor() {
    for (const signal of SESSION_SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Resolves at the first signal. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** Resolves at the second signal: the session stops waiting. */
  get again(): Promise<void> {
    return this.#again.promise;
  }

  /** Exit code of the session; undefined while it continues. */
  get code(): number | undefined {
    return this.#code;
  }

  /** Forwards signals to this run from now on. */
  reach(run: WatchedRun): void {
    this.#run = run;
  }

  close(): void {
    for (const signal of SESSION_SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: (typeof SESSION_SIGNALS)[number]): void => {
    const isAgain = this.#code !== undefined;
    this.#code ??= 128 + constants.signals[signal];
    this.#first.resolve();
    if (isAgain) this.#again.resolve();
    const run = this.#run;
    if (!run || run.hasEnded) return;
    const count = (this.#counts.get(signal) ?? 0) + 1;
    this.#counts.set(signal, count);
    run.signal(signal, count);
    if (isAgain) setTimeout(() => run.kill(), LAST);
  };
}

/** Runs the program again and again; ends the process when the session is over. */
export async function watchEntry(run: Run, { quiet }: Given): Promise<void> {
  await endProcess(await runSession({ ...run, isQuiet: quiet === true }));
}
