/** Work whose cost must grow no faster than its size: a stage of n resources, run again and again. */

import { memoryStore } from "../../../../adapters/memory/index.js";
import { RunFailedError } from "../../../../core/base/index.js";
import type { EngineOptions, Scope, StateStore } from "../../../../core/contract/index.js";
import { Resource } from "../../../../core/resource/index.js";
import { createEngine } from "../../../../plugins/engine/index.js";

export interface Props {
  readonly value?: number | undefined;
  /** A change replaces. */
  readonly name?: number | undefined;
  readonly uses?: unknown;
  readonly children?: number;
  /** Number of resources in a row, each of which is made in the handler of the one before. */
  readonly depth?: number;
  readonly fails?: boolean;
}

export const Thing = Resource<{ readonly id: string; readonly value: number }, Props>("slope:Thing", {
  create: async ({ id, props }) => {
    if (props.fails) throw new Error("It does not work.");
    await makeChildren(props);
    return { id, value: props.value ?? 0 };
  },
  update: async ({ id, props }) => {
    await makeChildren(props);
    return { id, value: props.value ?? 0 };
  },
  read: ({ output }) => output,
  delete: () => {},
  replaceOn: ["name"],
});

async function makeChildren({ children = 0, depth = 0, value, name }: Props): Promise<void> {
  if (depth > 1) await Thing(`in${depth}`, { value, name, depth: depth - 1 });
  await Promise.all(Array.from({ length: children }, (_, at) => Thing(`c${at}`, { value, name })));
}

export type Program = (app: Scope) => unknown;

/** One run of a stage. */
export interface Step {
  /** Shown in the result; a step without a name only prepares the next one. */
  readonly name?: string;
  readonly program?: Program;
  readonly options?: EngineOptions;
  readonly failing?: boolean;
}

export interface Scenario {
  readonly name: string;
  /** Runs of one stage, one after the other. */
  steps(n: number): readonly Step[];
  /** True if names hold n other names: the text of the state grows with the square of n. */
  readonly isDeep?: boolean;
  /** Default: in memory, with entries that grow. */
  readonly store?: () => StateStore;
}

export const engine = createEngine();

/** Runs one scenario at one size; `around` measures each step that has a name. */
export async function play(
  { steps, store = memoryStore }: Scenario,
  n: number,
  around: (name: string, run: () => Promise<void>) => Promise<void>,
  stateStore: StateStore = store(),
): Promise<void> {
  for (const { name, program = () => {}, options = {}, failing = false } of steps(n)) {
    const run = async (): Promise<void> => {
      // Far below the smallest size, so that every size exceeds the concurrency.
      const given = { stage: "dev", argv: [], env: {}, stateStore, concurrency: 4, ...options };
      const app = await engine("slopes", given);
      await app.run(async () => void (await program(app))).catch(() => {});
      await app.finalize().catch((error: unknown) => {
        if (!failing || !(error instanceof RunFailedError)) throw error;
      });
    };
    await (name === undefined ? run() : around(name, run));
  }
}

/** Steps of every kind of program. */
export function allOperations(name: string, program: (n: number, props: Props) => Program): Scenario {
  return {
    name,
    steps: (n) => [
      { name: "plan to create", program: program(n, { value: 1, name: 1 }), options: { plan: true } },
      { name: "create", program: program(n, { value: 1, name: 1 }) },
      { name: "unchanged", program: program(n, { value: 1, name: 1 }) },
      { name: "plan to update", program: program(n, { value: 2, name: 1 }), options: { plan: true } },
      { name: "update", program: program(n, { value: 2, name: 1 }) },
      { name: "plan to replace", program: program(n, { value: 2, name: 2 }), options: { plan: true } },
      { name: "replace", program: program(n, { value: 2, name: 2 }) },
      { name: "plan to destroy", options: { phase: "destroy", plan: true } },
      { name: "destroy", options: { phase: "destroy" } },
    ],
  };
}

export const ids = (n: number): string[] => Array.from({ length: n }, (_, at) => `r${String(at).padStart(5, "0")}`);

export async function inTurn(names: readonly string[], props: (at: number) => Props = () => ({})): Promise<void> {
  for (const [at, id] of names.entries()) await Thing(id, props(at));
}

export async function atOnce(names: readonly string[], props: (at: number) => Props = () => ({})): Promise<void> {
  await Promise.all(names.map((id, at) => Thing(id, props(at))));
}
