/** Prints runs: lines for people, or NDJSON for programs. */

import { processWide } from "../../core/base/index.js";
import type { EnginePlugin, Logger, OptionsContext, PluginHost, RunControl } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { replaceWrite, writeLine } from "../internal/terminal/standard-streams.js";
import { wrapped } from "../internal/text/lines.js";
import { plainEvents, plainJson } from "../internal/text/plain-text.js";
import { Activity } from "./activity.js";
import { type PlanView, printRun } from "./run-lines.js";
import { sayStillWaiting } from "./still-waiting.js";
import { loadTheme, MARGIN, plainTheme, type Theme, wantsColours } from "./theme.js";

/** Version of the event schema in NDJSON. */
const SCHEMA = 1;

/**
 * Prints one line for each changed resource, warnings, a summary and the failures. A terminal also shows the running
 * handlers. With `json`, it prints events instead.
 */
export function consoleOutput(): EnginePlugin {
  return definePlugin({
    name: "console",
    apply(host) {
      // Tapped after the plugins that read arguments and environment: here the options are final.
      host.hooks.options.tap("console", (context) => {
        if (context.options.json) printEvents(host, context);
        else printLines(host, context);
        return context;
      });
    },
  });
}

function printEvents({ events, control }: PluginHost, { options: { logger, argv } }: OptionsContext): void {
  if (!logger && argv === undefined) divertWhileLive(control);
  const print = logger ? (line: string): void => logger.info(line) : printEvent;
  events.on("*", (_type, event) => print(plainJson({ v: SCHEMA, ...event })));
}

/** Diverts the program's own output while the run is live. A program with its own `argv` keeps its standard output. */
function divertWhileLive(control: RunControl): void {
  const end = divertOutput();
  control.onReleased(end);
  // If no run begins, e.g. because the options are refused.
  queueMicrotask(() => {
    if (!control.status.isLive) end();
  });
}

function printLines(shown: PluginHost, { appName, options }: OptionsContext): void {
  const host: PluginHost = { ...shown, events: plainEvents(shown.events) };
  const { events, control } = host;
  const { quiet = false, plan = false, verbose = false, env = process.env, logger: given } = options;
  const isOnTerminal = !given && process.stdout.isTTY === true && !env.CI && env.TERM !== "dumb";
  const theme = plainTheme(() => (isOnTerminal && process.stdout.columns) || undefined);
  const isLive = isOnTerminal && !quiet && options.argv === undefined;
  const printer: Logger = { ...(given ? bound(given) : standardStreams) };
  const planView: PlanView = {};
  const logger = isOnTerminal ? wrapping(printer, theme) : printer;
  printRun({ events, raw: shown.events, control, logger, theme, quiet, verbose, plan, planView });
  if (!isLive) sayStillWaiting(events, control, (line) => printer.error(line));
  prepare(host, [
    ...(given ? [] : wantedTheme(theme, { env, isTerminal: isOnTerminal })),
    ...(plan && !quiet ? [loadPlanView(planView, options.full === true)] : []),
    ...(isLive ? [goLive(host, { theme, appName, printer, activity: new Activity(events, control.status) })] : []),
  ]);
}

/** Loads modules that most runs do not need while the state loads, which takes longer except in memory. */
function prepare({ hooks }: PluginHost, loads: readonly Promise<void>[]): void {
  if (loads.length === 0) return;
  let loading: Promise<unknown> | undefined = Promise.allSettled(loads).finally(() => {
    loading = undefined;
  });
  hooks.scopeCreated.tapPromise("console", async () => void (await loading));
}

interface ThemeInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

/** Loads colours and widths if the output shows them. */
function wantedTheme(theme: Theme, { env, isTerminal }: ThemeInput): Promise<void>[] {
  const out = wantsColours(env, process.stdout.isTTY === true);
  const err = wantsColours(env, process.stderr.isTTY === true);
  return out || err || isTerminal ? [loadTheme(theme, { out, err, isTerminal })] : [];
}

async function loadPlanView(view: PlanView, isFull: boolean): Promise<void> {
  const { planLines } = await import("./plan-view.js");
  view.lines = (plan, theme) => planLines(plan, theme, isFull);
}

interface LiveParts {
  readonly theme: Theme;
  readonly appName: string;
  readonly activity: Activity;
  /** Set to print above the live region. */
  readonly printer: { -readonly [N in keyof Logger]: Logger[N] };
}

async function goLive({ events, control }: PluginHost, { printer, ...parts }: LiveParts): Promise<void> {
  const [{ standardRegion }, { showLive }] = await Promise.all([
    import("../internal/terminal/live-region.js"),
    import("./live.js"),
  ]);
  const region = standardRegion();
  printer.info = (line) => region.print("stdout", line);
  printer.error = (line) => region.print("stderr", line);
  showLive({ events, control, region, ...parts });
}

/** Wraps lines at words: a terminal would break them anywhere. */
function wrapping(printer: Logger, theme: Theme): Logger {
  const rowsOf = (line: string, columns: number | undefined): readonly string[] =>
    wrapped(line, { columns, indent: MARGIN.length, width: theme.width });
  return {
    info: (line) => rowsOf(line, theme.columns).forEach((row) => void printer.info(row)),
    error: (line) =>
      rowsOf(line, process.stderr.isTTY ? process.stderr.columns : undefined).forEach((row) => void printer.error(row)),
  };
}

const standardStreams: Logger = {
  info: (line) => writeLine("stdout", line),
  error: (line) => writeLine("stderr", line),
};

function bound(logger: Logger): Logger {
  return { info: (line) => logger.info(line), error: (line) => logger.error(line) };
}

interface Diversion {
  /** Number of runs that need it. */
  holders: number;
  /** True while an event is written. */
  isEvent: boolean;
  restore(): void;
}

const diversion = processWide<Diversion>("stdout-diversion@1", () => {
  return { holders: 0, isEvent: false, restore: () => {} };
});

/** Writes NDJSON to standard output. Everything else that the program prints goes to standard error. */
function printEvent(line: string): void {
  diversion.isEvent = true;
  try {
    writeLine("stdout", line);
  } finally {
    diversion.isEvent = false;
  }
}

/** Diverts standard output until each caller has called the returned function. */
function divertOutput(): () => void {
  if (diversion.holders++ === 0) {
    diversion.restore = replaceWrite(process.stdout, (original, args) =>
      diversion.isEvent ? original(...args) : Reflect.apply(process.stderr.write, process.stderr, args),
    );
  }
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    if (--diversion.holders === 0) diversion.restore();
  };
}
