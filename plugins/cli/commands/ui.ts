import { statSync } from "node:fs";
import { extname } from "node:path";
import type { Command } from "commander";
import { EngineError } from "../../../core/base/index.js";
import { chooseStore } from "../../../core/engine/index.js";
import type { App } from "../../../core/run/index.js";
import { adminOf } from "../../admin/operations/index.js";
import { adminParts } from "../../admin/parts.js";
import { RESERVED } from "../../fleet/reserved.js";
import { wholeNumber } from "../../internal/flags/flag.js";
import { written } from "../../internal/flags/table.js";
import { findEntry, isFile } from "../entry.js";
import { addFlags, type ProgramFlags, programFlags, textOf } from "../flags.js";
import { pageFleet } from "../fleet/page-fleet.js";
import { eventsIn } from "../kept-events.js";
import { unusableFile } from "../load-failure.js";
import { openBrowser, wantsBrowser } from "../open-browser.js";
import { openStage, warnIfMissing } from "../open-stage.js";
import { endProcess, print, say, writeOut } from "../output.js";
import type { Given } from "../run-command.js";
import type { RanEntry } from "../run-entry.js";

/** Path of this command's script, read before the program gets other arguments. */
const MAIN = process.argv[1] ?? "";
/** Extensions of files with the output of `--json`. */
const EVENTS: readonly string[] = [".ndjson", ".jsonl", ".json", ".log"];

export function addUi(program: Command): void {
  const command = program
    .command("ui [entry]")
    .summary("show stages, runs, plans and history in a browser")
    .description(
      "Serve a page on this machine only. It shows the stages of the program's store, and runs from files with events. The page is read-only unless you pass --allow-changes. With --out, write the newest run of such a file as one page that needs no server.",
    );
  addFlags(command);
  command.action(async (file: string | undefined, given: Given) => {
    const named = file !== undefined && isEvents(file) ? file : undefined;
    const events = named ?? eventsIn(given);
    const out = textOf(given.out);
    if (out !== undefined) return writePage(events, out);
    const hasState = file !== undefined || textOf(given.app) !== undefined || findEntry(undefined) !== undefined;
    if (events !== undefined && (named !== undefined || !hasState)) return serveEvents(events, given);
    const [app, envFile] = [textOf(given.app), textOf(given.envFile)];
    const flags = programFlags(command);
    await openStage({ entry: file, app, envFile, flags, fleetStage: RESERVED }, (opened, ran) =>
      serveStore(opened, { file, given, flags, ran, events }),
    );
  });
}

function isEvents(path: string): boolean {
  return isFile(path) && EVENTS.includes(extname(path).toLowerCase());
}

async function writePage(events: string | undefined, out: string): Promise<void> {
  if (events === undefined) {
    throw new EngineError(
      "INVALID_ARGUMENT",
      "--out needs a file with events (the output of --json). Name one: engine ui <file> --out <page>.",
    );
  }
  const [{ runFiles }, { builtPage, pageWithEvents }] = await Promise.all([
    import("../../ui/sources/index.js"),
    import("../../ui/server/index.js"),
  ]);
  const runs = await readRuns(events, runFiles);
  runs.close();
  const [newest] = runs.rows();
  const run = newest && runs.run(newest.run);
  if (!run)
    throw new EngineError("INVALID_ARGUMENT", `"${events}" contains no run. Name a file with the output of --json.`);
  const lines: string[] = [];
  while (lines.length < run.count) lines.push(...(await run.read(lines.length)));
  await writeOut(out, pageWithEvents(await builtPage(), lines));
  say(`written: ${out}`);
}

async function readRuns<T>(path: string, read: (path: string) => Promise<T>): Promise<T> {
  return read(path).catch((error: unknown) => {
    throw unusableFile(path, "read", error);
  });
}

async function serveEvents(path: string, given: Given): Promise<void> {
  const [{ runFiles }, { builtPage, startServer }] = await Promise.all([
    import("../../ui/sources/index.js"),
    import("../../ui/server/index.js"),
  ]);
  const runs = await readRuns(path, runFiles);
  const redact = (text: string): string => text;
  const server = await startServer({ label: path, runs, redact }, { ...wanted(given), html: await builtPage() });
  const rows = runs.rows();
  const [only] = rows.length === 1 && !statSync(path).isDirectory() ? rows : [];
  await show(server.url(only ? `/runs/${encodeURIComponent(only.run)}` : "/runs"), given);
}

interface Stage {
  readonly file: string | undefined;
  readonly given: Given;
  readonly flags: ProgramFlags;
  /** The program if it is a fleet. */
  readonly ran: RanEntry | undefined;
  /** File or folder with the events of runs. */
  readonly events: string | undefined;
}

async function serveStore(app: App, { file, given, flags, ran, events }: Stage): Promise<never> {
  const [{ allRuns, checkAwaited, fleetSource, LiveRuns, Looks, runFiles, stageSource }, { builtPage, startServer }] =
    await Promise.all([import("../../ui/sources/index.js"), import("../../ui/server/index.js")]);
  app.hooks.storeRequest.tapPromise("ui", async (_request, next) => {
    checkAwaited();
    return next();
  });
  const { store } = await chooseStore(app);
  const kept = events === undefined ? [] : [await readRuns(events, runFiles)];
  const stage = { app: app.root.appName, stage: app.root.stage };
  const admin = adminOf(app, adminParts);
  const { rootDir, env } = app.options;
  const isOwn = (name: typeof stage): boolean => name.app === stage.app && name.stage === stage.stage;
  const stages = stageSource(store, { rootDir, env, adminFor: (name) => (isOwn(name) ? admin : undefined) });
  const runs = new LiveRuns();
  const entry = findEntry(file);
  const isFleetPage = ran !== undefined && stage.stage === RESERVED;
  const command = entry === undefined || isFleetPage ? undefined : driftOf(entry, given, flags);
  const conducted = ran && entry !== undefined ? pageFleet({ ...ran, entry }, { file, given, flags }) : undefined;
  if (given.queue !== undefined && !conducted)
    throw new EngineError(
      "INVALID_ARGUMENT",
      "--queue needs a program that exports a fleet: engine ui FILE --queue URL",
    );
  const fleets = fleetSource(store, { rootDir, env, own: conducted?.own, redact: app.redact });
  const looks = command && new Looks({ ...stage, command, runs, redact: app.redact });
  const look = looks && ((name: typeof stage) => looks.begin(name));
  const label = store.location ?? store.name;
  const opened = isFleetPage ? { fleet: stage.app } : { stage };
  const source = { label, stages, fleets, runs: allRuns([runs, ...kept]), ...opened, look, redact: app.redact };
  const server = await startServer(source, { ...wanted(given), html: await builtPage() });
  process.once("exit", () => looks?.close());
  const parts = isFleetPage ? ["fleets", stage.app] : ["stages", stage.app, stage.stage];
  await show(server.url(`/${parts.map(encodeURIComponent).join("/")}`), given, conducted?.end);
  // The page must not wait for a store that does not answer.
  if (!isFleetPage) void warnIfMissing(admin);
  return new Promise<never>(() => {});
}

/** Returns the command line of `engine drift`, with the same Node, script and flags as this command. */
function driftOf(entry: string, given: Given, { words }: ProgramFlags): readonly [string, ...string[]] {
  const envFile = textOf(given.envFile);
  const args = [
    ...words.filter((word) => word !== written("quiet")),
    ...(envFile === undefined ? [] : [written("env-file", envFile)]),
    written("json"),
  ];
  return [process.execPath, ...process.execArgv, MAIN, "drift", entry, ...args];
}

function wanted({ port, allowChanges }: Given): { readonly port?: number; readonly allowChanges: boolean } {
  const text = textOf(port);
  return {
    ...(text === undefined ? {} : { port: wholeNumber(text, "port") }),
    allowChanges: allowChanges === true,
  };
}

/** @param leave called before the process ends */
async function show(url: string, { open }: Given, leave?: () => Promise<void>): Promise<void> {
  print(url);
  say("Press Ctrl-C to stop. Anyone with this URL can see the page.");
  if (open !== false && wantsBrowser()) await openBrowser(url);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.prependOnceListener(signal, () => void leaveWith(signal === "SIGINT" ? 130 : 143, leave));
  }
}

async function leaveWith(code: number, leave?: () => Promise<void>): Promise<never> {
  await leave?.();
  return endProcess(code);
}
