/**
 * Real resources in files that outlive every engine, with a log of every call. All of it is synchronous: a kill leaves
 * it consistent.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { HandlerBase } from "../../core/contract/index.js";
import { Points } from "./points.js";
import { filesIn, type WorldTexts } from "./world-texts.js";

export interface Thing {
  readonly thing: string;
  readonly kind: string;
  readonly fqn: string;
  readonly uid: string;
  readonly token: string;
  readonly value: unknown;
}

export type Edge = "starts" | "begins" | "made" | "found" | "changed" | "removed" | "ends" | "fails";

/** A line of the log. */
export interface Call {
  /** The run that it belongs to. */
  readonly run: string;
  readonly pid: number;
  readonly op: string;
  readonly edge: Edge;
  readonly kind: string;
  readonly fqn: string;
  readonly uid: string;
  readonly token: string;
}

export interface Warning {
  readonly run: string;
  readonly code: string;
  readonly fqn?: string;
}

export type Called = HandlerBase & { readonly phase: string };

export interface WorldOptions {
  readonly points?: Points;
  /** Calls that fail, e.g. `create a`: before they act, or after. */
  readonly failing?: Readonly<Record<string, "before" | "after">>;
  /** Calls, e.g. `create a`, that reply only when enough has happened meanwhile. */
  readonly slow?: readonly string[];
  /** The event that a slow call waits for. */
  patience?(): Promise<void>;
  /** Default: files in the folder of the run. */
  readonly texts?: WorldTexts;
}

export class FileWorld {
  readonly run = randomUUID();
  readonly #texts: WorldTexts;
  readonly #options: WorldOptions;
  readonly #points: Points;

  constructor(folder: string, options: WorldOptions = {}) {
    this.#options = options;
    this.#points = options.points ?? new Points();
    this.#texts = options.texts ?? filesIn(join(folder, "world"));
  }

  get things(): Thing[] {
    const names = this.#texts.things().filter((name) => name.endsWith(".json"));
    return names.sort().map((name) => JSON.parse(this.#texts.read(`things/${name}`) ?? "") as Thing);
  }

  get calls(): Call[] {
    return this.#lines<Call>("calls.log");
  }

  get warnings(): Warning[] {
    return this.#lines<Warning>("warnings.log");
  }

  /** Begins a new run: from now on it is the last one. */
  start(): void {
    const nothing = { kind: "", fqn: "", uid: "", token: "" };
    this.#write("calls.log", { run: this.run, pid: process.pid, op: "run", edge: "starts", ...nothing } satisfies Call);
  }

  warn(code: string, fqn: string | undefined): void {
    this.#write("warnings.log", { run: this.run, code, ...(fqn === undefined ? {} : { fqn }) });
  }

  /** One call of a handler: `act` does its work and returns its outcome. */
  async call<T>(context: Called, kind: string, act: () => T | Promise<T>): Promise<T> {
    const { phase: op, id } = context;
    const name = `${op} ${id}`;
    const failing = this.#options.failing?.[name];
    this.#log(context, kind, "begins");
    this.#points.reach(`${name} begins`);
    try {
      if (failing === "before") throw new Error(`no ${name}`);
      const result = await act();
      if (this.#options.slow?.includes(name)) await this.#options.patience?.();
      if (failing === "after") throw new Error(`lost ${name}`);
      this.#log(context, kind, "ends");
      // A point between the reply and the engine's next turn.
      queueMicrotask(() => this.#points.reach(`${name} has replied`));
      return result;
    } catch (error) {
      // A handler asks for a replacement by throwing.
      this.#log(context, kind, error instanceof Error ? "fails" : "ends");
      throw error;
    }
  }

  /** @param name the same name makes the same resource */
  make(context: Called, kind: string, value: unknown, name: string = randomUUID()): string {
    const { id, fqn, uid, token } = context;
    const thing = `${id}.${name}`;
    const isThere = this.things.some((other) => other.thing === thing);
    this.#put({ thing, kind, fqn, uid, token, value });
    this.#log(context, kind, isThere ? "found" : "made");
    this.#points.reach(`${context.phase} ${id} took effect`);
    return thing;
  }

  change(context: Called, kind: string, thing: string, value: unknown): void {
    const before = this.things.find((other) => other.thing === thing);
    if (!before) throw new Error(`There is no ${thing}.`);
    // An adopted resource belongs to this one from now on.
    this.#put({ ...before, uid: context.uid, value });
    this.#log(context, kind, "changed");
    this.#points.reach(`${context.phase} ${context.id} took effect`);
  }

  remove(context: Called, kind: string, thing: string): void {
    this.#texts.remove(pathOf(thing));
    this.#log(context, kind, "removed");
    this.#points.reach(`${context.phase} ${context.id} took effect`);
  }

  #log({ phase: op, fqn, uid, token }: Called, kind: string, edge: Edge): void {
    this.#write("calls.log", { run: this.run, pid: process.pid, op, edge, kind, fqn, uid, token } satisfies Call);
  }

  #put(thing: Thing): void {
    this.#texts.put(pathOf(thing.thing), JSON.stringify(thing));
  }

  #write(file: string, line: object): void {
    this.#texts.append(file, `${JSON.stringify(line)}\n`);
  }

  #lines<T>(file: string): T[] {
    const text = this.#texts.read(file) ?? "";
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as T]));
  }
}

function pathOf(thing: string): string {
  return `things/${thing}.json`;
}
