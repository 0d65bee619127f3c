/** Checks for drift. Each check is a child process that runs the present program, and a run like any other. */
import { type ChildProcess, spawn } from "node:child_process";
import { EngineError, NOTHING_DONE, processName, timeOfDay, uuid } from "../../../core/base/index.js";
import type { Drift } from "../../plan/drift.js";
import type { Drifted, UiEvent } from "../api/index.js";
import { KeptRun } from "./kept-run.js";
import type { LiveRuns } from "./live-runs.js";
import type { StageName } from "./stage-source.js";

/** Characters of a child's output. */
const LARGEST = 64_000_000;
const LARGEST_FAILURE = 10_000;

export interface LooksOptions extends StageName {
  /** Prints the drift of the stage as JSON. */
  readonly command: readonly [string, ...string[]];
  readonly runs: LiveRuns;
  redact(text: string): string;
}

export class Looks {
  readonly #options: LooksOptions;
  #current: { readonly run: KeptRun; readonly child: ChildProcess } | undefined;

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  /**
   * Begins a check and returns the id of its run; if a check is running, returns the id of that one.
   *
   * @throws EngineError `INVALID_ARGUMENT` for another stage
   */
  async begin({ app, stage }: StageName): Promise<string> {
    if (app !== this.#options.app || stage !== this.#options.stage) {
      throw new EngineError(
        "INVALID_ARGUMENT",
        `The program of this server belongs to "${this.#options.app}/${this.#options.stage}", not to "${app}/${stage}". To check "${app}/${stage}", start a server with its program.`,
      );
    }
    if (this.#current) return this.#current.run.id;
    const run = new KeptRun(uuid());
    const [program, ...args] = this.#options.command;
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#current = { run, child };
    this.#options.runs.add(run);
    void this.#follow(run, child).finally(() => {
      this.#current = undefined;
    });
    return run.id;
  }

  close(): void {
    this.#current?.child.kill();
  }

  async #follow(run: KeptRun, child: ChildProcess): Promise<void> {
    const began = performance.now();
    const { app, stage, redact } = this.#options;
    const info = { run: run.id, app, stage, phase: "read", planned: false, drift: true, by: processName() };
    const tell = (type: string, members: object): void => run.add({ ...members, type, time: timeOfDay() });
    tell("run:started", info);
    const { out, failure } = await outputOf(child);
    const drift = driftIn(out);
    for (const event of drift ? eventsOf(drift) : []) run.add(event);
    const failed = drift ? [] : [{ code: "RUN_FAILED", message: redact(failure), causes: [], frames: [] }];
    const errors = drift?.errors.map((error) => ({ ...error, causes: [], frames: [] })) ?? failed;
    const summary = { ...NOTHING_DONE, read: (drift?.same ?? 0) + (drift?.resources.length ?? 0) };
    const duration = Math.round(performance.now() - began);
    tell("run:finished", { ...info, ok: errors.length === 0, interrupted: false, summary, duration, errors });
  }
}

interface Output {
  readonly out: string;
  /** The last error output, used if there is no other output. */
  readonly failure: string;
}

function outputOf(child: ChildProcess): Promise<Output> {
  const [out, err] = [{ text: "" }, { text: "" }];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    if (out.text.length < LARGEST) out.text += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err.text = (err.text + text).slice(-LARGEST_FAILURE);
  });
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve({ out: "", failure: message }));
    child.once("close", (code, signal) =>
      resolve({
        out: out.text,
        failure: err.text.trim() || `The check for drift ended with ${signal ?? `exit code ${code}`}.`,
      }),
    );
  });
}

/** Returns undefined if the child failed before it printed anything. */
function driftIn(text: string): Drift | undefined {
  try {
    const value: Partial<Drift> = JSON.parse(text);
    const { app, stage, resources, same, unread, errors } = value;
    if (app === undefined || stage === undefined || same === undefined) return undefined;
    return resources && unread && errors ? { app, stage, resources, same, unread, errors } : undefined;
  } catch {
    return undefined;
  }
}

/** Yields all differences of drifted resources, which is more than a run reports. */
function* eventsOf({ resources, unread }: Drift): Generator<UiEvent> {
  const time = timeOfDay();
  for (const { changes, ...one } of resources) {
    const paths = changes.map(({ path }) => path);
    const drifted: Drifted = { ...one, type: "resource:drifted", time, paths, changes };
    yield drifted;
  }
  for (const { fqn, reason } of unread) {
    yield { type: "warning", time, code: "UI_NOT_LOOKED_AT", fqn, message: `"${fqn}" was not checked: ${reason}.` };
  }
}
