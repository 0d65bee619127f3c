/**
 * The last program of a life in the world of users: that of `calm`, with the options that do not prevent an unchanged
 * run.
 */
import { declarationsIn, edited, type Options, type Program } from "../program.ts";

/** Options that remain when the stage is unchanged. */
function lasting({ deleteBeforeReplace, retain, ignores }: Options): Options {
  return {
    ...(deleteBeforeReplace ? { deleteBeforeReplace } : {}),
    ...(retain ? { retain } : {}),
    ...(ignores ? { ignores } : {}),
  };
}

export function restful(program: Program, before: Program): Program {
  const options = new Map(declarationsIn(before).map((step) => [step.id, lasting(step.options)]));
  return edited(
    program,
    declarationsIn(program).map((step) => ({
      edit: "change",
      id: step.id,
      to: { options: { ...step.options, ...options.get(step.id) } },
    })),
  );
}

/** Nothing is deleted before it is replaced. */
export function createFirst(program: Program): Program {
  return edited(
    program,
    declarationsIn(program).map(({ id, options: { deleteBeforeReplace: _, ...options } }) => ({
      edit: "change",
      id,
      to: { options },
    })),
  );
}
