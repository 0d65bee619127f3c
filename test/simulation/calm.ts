import type { Deployer } from "./history.ts";
import { declarationsIn, type Options, type Program, type Step, scopesIn } from "./program.ts";

/** An undisturbed run. */
export const CALM: Deployer = {
  machine: 0,
  delay: 0,
  does: "up",
  concurrency: 64,
  parallel: false,
  lockTimeout: 600_000,
  refresh: false,
  force: false,
  // Also adopts resources that the handler of an interrupted create declares: it is called once more as it was declared
  // then.
  adopts: true,
  targets: [],
  blows: [],
  mishap: 0,
  behind: 0,
  isWatched: false,
  again: [],
};

const RESTFUL: Options = { adopt: true };

/**
 * The program without the steps that prevent an unchanged run: protected, destroyed, thrown, or changed in every run.
 */
export function calm(program: Program): Program {
  // No id is the name of a scope.
  const ids = new Set([...declarationsIn(program).map(({ id }) => id), ...scopesIn(program).map(({ name }) => name)]);
  return calmed(program, ids, new Set());
}

/** @param keys of the data that was set before */
function calmed(program: Program, ids: ReadonlySet<string>, keys: Set<string>): Program {
  return program.flatMap((step): Step[] => calmOne(step, ids, keys));
}

function calmOne(step: Step, ids: ReadonlySet<string>, keys: Set<string>): Step[] {
  switch (step.do) {
    case "declare": {
      const { alias, ...rest } = step;
      // An id that is declared is not used as an earlier name of another resource.
      const isFree = alias !== undefined && !ids.has(alias);
      const steps = calmed(step.steps, ids, keys);
      return [{ ...rest, ...(isFree ? { alias } : {}), isCaught: false, options: RESTFUL, steps }];
    }
    case "defer":
      return calmOne(step.step, ids, keys).flatMap((one) => (one.do === "declare" ? { ...step, step: one } : []));
    case "all":
    case "sequence":
    case "scope": {
      const { alias, ...rest } = step;
      const isFree = alias !== undefined && !ids.has(alias);
      return [{ ...rest, ...(isFree ? { alias } : {}), steps: calmed(step.steps, ids, keys) }];
    }
    case "data": {
      // A value that is set twice differently changes in each run.
      const isNew = !keys.has(step.key);
      keys.add(step.key);
      return isNew ? [step] : [];
    }
    case "destroy":
    case "throw":
      return [];
  }
}
