/** Lives through commands with a real engine, and says what went wrong. */

import { RunFailedError } from "../../../core/base/errors.js";
import type { EngineOptions } from "../../../core/contract/options.js";
import type { EngineEvents } from "../../../core/contract/plugin/events.js";
import type { EnginePlugin } from "../../../core/contract/plugin/plugin.js";
import type { StateStore } from "../../../core/contract/store.js";
import { createEngine } from "../../../core/engine/engine.js";
import { memoryStore } from "../../../core/state/memory.js";
import { abandonSession } from "../../../core/state/session/abandoned-sessions.js";
import { loadFrom } from "../../helpers/journals.js";
import { observed } from "../../helpers/observed-store.js";
import { unfolded } from "../../helpers/unfolded.ts";
import { type Command, type Id, ids, type Luck, type Program } from "./commands.ts";
import { Mortal } from "./mortal.ts";
import { ambiguous, differences, doubles, unrecorded } from "./oracles.ts";
import { attempts, Reality, types } from "./reality.ts";

export type Warning = EngineEvents["warning"];
export type Fate = "done" | "failed" | "died";

const LUCKY: Luck = { mishaps: [], killAt: undefined };
let runs = 0;

/** What is wrong on purpose, to see that it is found. */
export interface Breakage {
  readonly plugin?: EnginePlugin;
  readonly store?: StateStore;
  /** Services make something new whatever token they are given. */
  readonly ignoresTokens?: boolean;
}

export class Life {
  readonly problems: string[] = [];
  readonly reality: Reality;
  readonly #engine: ReturnType<typeof createEngine>;
  readonly #store: ReturnType<typeof observed>;
  readonly #told: Warning[] = [];
  readonly #rootDir: string;
  #program: Program = { lines: new Map(), isParallel: false };

  /** @param rootDir where recovery files go */
  constructor(rootDir: string, { plugin, store = memoryStore(), ignoresTokens = false }: Breakage = {}) {
    this.#rootDir = rootDir;
    this.reality = new Reality(ignoresTokens);
    this.#store = observed(store);
    this.#engine = createEngine({
      plugins: plugin ? [plugin] : [],
      limits: { entries: 4, tail: 4_000, small: 2_000 },
    });
  }

  async does(command: Command): Promise<void> {
    const { lines, isParallel } = this.#program;
    switch (command.do) {
      case "edit": {
        const edited = new Map(lines);
        if (command.line) edited.set(command.id, command.line);
        else edited.delete(command.id);
        this.#program = { lines: edited, isParallel };
        return;
      }
      case "arrange":
        this.#program = { lines, isParallel: command.isParallel };
        return;
      case "drift":
        return this.#drift(command.id, command.gone);
      case "up":
        await this.#up(command.luck, command.force);
        break;
      case "destroy":
        await this.#run(command.luck, { phase: "destroy" }, this.#program);
        break;
      case "read":
        await this.#read(command.luck);
        break;
      case "two": {
        const without = new Map([...lines].slice(0, -1));
        await Promise.all([
          this.#run(command.luck, {}, this.#program),
          this.#run(command.other, {}, { lines: without, isParallel }),
        ]);
        break;
      }
    }
    await this.#check();
  }

  /** Whatever happened: one more run converges, the next does nothing, and a destroy leaves nothing. */
  async ends(): Promise<readonly string[]> {
    this.#program = { lines: new Map(ids.map((id) => [id, { value: 1, name: 0, refers: false }])), isParallel: false };
    await this.#up(LUCKY, false);
    this.#store.requests.clear();
    this.reality.calls.length = 0;
    await this.#up(LUCKY, false);
    const calls = this.reality.calls.filter((call) => call !== "read watched");
    if (calls.length > 0) this.problems.push(`an unchanged run called ${calls.join(", ")}`);
    if (this.#store.requests.writes > 0) {
      this.problems.push(`an unchanged run wrote: ${this.#store.requests.all.join(", ")}`);
    }
    const fate = await this.#run(LUCKY, { phase: "destroy" }, this.#program);
    if (fate !== "done") this.problems.push(`the last destroy ${fate}`);
    const { contents } = await loadFrom(this.#store.store);
    if (!contents.isEmpty) this.problems.push("something is recorded after all was destroyed");
    this.problems.push(...ambiguous(this.reality.things, this.#told));
    return this.problems;
  }

  async #up(luck: Luck, force: boolean): Promise<void> {
    const fate = await this.#run(luck, { force }, this.#program);
    if (fate === "failed" && luck.mishaps.length === 0) this.problems.push("a run without a mishap failed");
    if (fate !== "done") return;
    const { contents } = await loadFrom(this.#store.store);
    this.problems.push(...differences(this.#program, contents, this.reality.things, this.#told));
  }

  async #read(luck: Luck): Promise<void> {
    this.#store.requests.clear();
    this.reality.calls.length = 0;
    await this.#run(luck, { phase: "read" }, this.#program);
    if (this.reality.calls.length > 0) this.problems.push(`a read called ${this.reality.calls.join(", ")}`);
    if (this.#store.requests.writes > 0) this.problems.push("a read wrote");
  }

  #drift(id: Id, gone: boolean): void {
    for (const [name, thing] of this.reality.things) {
      if (thing.id !== id || id !== "watched") continue;
      if (gone) this.reality.things.delete(name);
      else thing.value = 99;
    }
  }

  async #run(luck: Luck, options: EngineOptions, program: Program): Promise<Fate> {
    const mortal = new Mortal(luck.killAt);
    const profile = `run ${++runs}`;
    attempts.set(profile, { reality: this.reality, mortal, mishaps: luck.mishaps });
    const stateStore = mortal.store(this.#store.store);
    const hermetic = { stage: "dev", argv: [], env: {}, rootDir: this.#rootDir, profile, stateStore } as const;
    const fate = await Promise.race([this.#whole({ ...hermetic, ...options }, program), mortal.died]);
    attempts.delete(profile);
    // Nobody waits for a process that is gone.
    const { open } = (await loadFrom(this.#store.store)).head;
    if (fate === "died" && open) abandonSession(open.session);
    return fate;
  }

  async #whole(options: EngineOptions, program: Program): Promise<Fate> {
    const listening: EnginePlugin = {
      name: "listening",
      apply: ({ events }) => events.on("warning", (warning) => this.#told.push(...unfolded(warning))),
    };
    try {
      const app = await this.#engine("app", { ...options, plugins: [listening] });
      // What the program fails with comes out of finalize.
      await app.run(() => play(program)).catch(() => {});
      await app.finalize();
      return "done";
    } catch (error) {
      this.#explain(error);
      return "failed";
    }
  }

  /** A failure must be one that was asked for. */
  #explain(error: unknown): void {
    const errors = error instanceof RunFailedError ? error.errors : [error];
    for (const one of errors) {
      const { code, message } = one as { code?: string; message: string };
      if (code === "HANDLER_FAILED" && /failed: (no|lost the reply to) /.test(message)) continue;
      if (code === "STATE_LOCKED" || code === "STATE_MOVED" || code === "NOT_RECORDED" || code === "UNRESOLVED")
        continue;
      this.problems.push(`unexpected: ${code} ${message}`);
    }
  }

  async #check(): Promise<void> {
    const { contents } = await loadFrom(this.#store.store);
    this.problems.push(...unrecorded(this.reality.things, contents, this.#told), ...doubles(this.reality.things));
  }
}

async function play({ lines, isParallel }: Program): Promise<void> {
  let before: Promise<unknown> | undefined;
  const made: Promise<unknown>[] = [];
  for (const [id, { value, name, refers }] of lines) {
    before = types[id](id, refers && before ? { value, name, refers: before } : { value, name });
    made.push(before);
    if (!isParallel) await before;
  }
  await Promise.all(made);
}
