/** How often each block of the engine's code is run: that is the same on every machine, idle or busy. */
import type { Debugger, Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { isEngine, sourceOf } from "./places.js";

export interface Block {
  readonly script: string;
  readonly url: string;
  readonly functionName: string;
  /** Where the function and the block begin in the script, in characters. */
  readonly function: number;
  readonly offset: number;
  readonly count: number;
}

export interface Blocks {
  readonly all: readonly Block[];
  /** Runs of the code that another measurement has found where a block is. */
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

  /** The line of the source that a block begins in. */
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
  // A script that is loaded twice would be there twice; ours are not.
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
