/** Counts the executions of each block of the engine's code, which do not depend on the machine or its load. */
import type { Debugger, Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { isEngine, sourceOf } from "./places.js";

export interface Block {
  readonly script: string;
  readonly url: string;
  readonly functionName: string;
  /** Offsets of the function and the block in the script, in characters. */
  readonly function: number;
  readonly offset: number;
  readonly count: number;
}

export interface Blocks {
  readonly all: readonly Block[];
  /** Executions of this block in another measurement. */
  countOf(block: Block): number;
}

export class BlockCounter {
  readonly #session = new Session();
  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await this.#session.post("Debugger.enable");
  }

  async count(run: () => Promise<void>): Promise<Blocks> {
    await this.#session.post("Profiler.takePreciseCoverage");
    await run();
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    return blocksOf(result.filter(({ url }) => isEngine(url)));
  }

  /** The source line at which a block begins. */
  async placeOf({ script, url, function: start, offset, functionName }: Block): Promise<string> {
    const { scriptSource }: Debugger.GetScriptSourceReturnType = await this.#session.post("Debugger.getScriptSource", {
      scriptId: script,
    });
    const lines = scriptSource.slice(0, Math.max(start, offset)).split("\n");
    const place = sourceOf(url, lines.length, (lines.at(-1)?.length ?? 0) + 1);
    return functionName === "" ? place : `${place} (${functionName})`;
  }
}

function blocksOf(scripts: readonly Profiler.ScriptCoverage[]): Blocks {
  // A script that is loaded twice would be counted twice; the engine's scripts are loaded once.
  const functions = new Map<string, Profiler.FunctionCoverage>();
  const all: Block[] = [];
  for (const { scriptId: script, url, functions: found } of scripts) {
    for (const one of found) {
      const start = one.ranges[0]?.startOffset ?? 0;
      functions.set(`${url} ${start}`, one);
      for (const { startOffset: offset, count } of one.ranges) {
        all.push({ script, url, functionName: one.functionName, function: start, offset, count });
      }
    }
  }
  // The innermost range comes last.
  const countOf = ({ url, function: start, offset }: Block): number =>
    functions
      .get(`${url} ${start}`)
      ?.ranges.findLast((range) => range.startOffset <= offset && offset < range.endOffset)?.count ?? 0;
  return { all, countOf };
}
