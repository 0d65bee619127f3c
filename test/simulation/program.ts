/**
 * A program as a tree, and the edits that make the next version of it. All of it is data: it can be printed and pasted.
 */

import type { UserKindName } from "./users/kind-names.ts";

/** How a resource type works: see kinds.ts. */
export type KindName = PlainKindName | UserKindName;

type PlainKindName = "token" | "read" | "blind" | "plain" | "fixed" | "named" | "verified" | "nest" | "bundle";

/** Its handler declares children. */
export function hasParts(kind: KindName): boolean {
  return kind === "nest" || kind === "bundle";
}

export interface Use {
  readonly id: string;
  /**
   * `value`: a value of the output; `output`: the output itself, a reference; `pending`: the declaration; `depends`: by
   * `dependsOn`.
   */
  readonly as: "value" | "output" | "pending" | "depends";
}

export interface Options {
  readonly protect?: boolean;
  readonly retain?: boolean;
  readonly adopt?: boolean;
  /** Attempts. */
  readonly retry?: number;
  readonly deleteBeforeReplace?: boolean;
  readonly alwaysUpdate?: boolean;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Another program may change its tag. */
  readonly ignores?: boolean;
}

export interface Declaration {
  readonly do: "declare";
  readonly id: string;
  readonly kind: KindName;
  /** A change causes an update. */
  readonly value: number;
  /** A change causes a replacement if the type says so; an odd number deletes the old copy first. */
  readonly name: number;
  readonly uses: readonly Use[];
  /** False: the program continues at once, and waits at its end. */
  readonly isAwaited: boolean;
  /** The program continues when it fails. */
  readonly isCaught: boolean;
  /** Its value is a secret. */
  readonly isSecret: boolean;
  readonly options: Options;
  /** Another prop, for types of the world of users. */
  readonly tag?: number;
  /** An earlier id. */
  readonly alias?: string;
  /** The declarations of its handler; only for a nest or a bundle. */
  readonly steps: readonly Step[];
}

export interface Group {
  readonly do: "all" | "sequence" | "scope";
  /** The name of a scope. */
  readonly name: string;
  /** An earlier name of a scope. */
  readonly alias?: string;
  readonly steps: readonly Step[];
}

export type Step =
  | Declaration
  | Group
  /** Sets data of the scope; a value of 0 deletes it. */
  | { readonly do: "data"; readonly key: string; readonly value: number }
  /** Declares at finalize. */
  | { readonly do: "defer"; readonly step: Declaration }
  /** Destroys the resource that was declared under the id, if there is one. */
  | { readonly do: "destroy"; readonly id: string }
  | { readonly do: "throw" };

export type Program = readonly Step[];

/** A place in a tree: the list of steps, counted through all of it, and the position in it; both wrap around. */
export interface Spot {
  readonly list: number;
  readonly index: number;
}

export type Edit =
  | { readonly edit: "insert"; readonly at: Spot; readonly step: Step }
  | { readonly edit: "remove"; readonly id: string }
  | { readonly edit: "move"; readonly id: string; readonly at: Spot }
  | { readonly edit: "change"; readonly id: string; readonly to: Partial<Pick<Declaration, Changeable>> }
  | { readonly edit: "rename"; readonly id: string; readonly to: string; readonly keeps: boolean }
  | { readonly edit: "wrap"; readonly name: string }
  | { readonly edit: "rename scope"; readonly from: string; readonly to: string; readonly keeps: boolean }
  | { readonly edit: "reverse"; readonly list: number };

type Changeable = "value" | "name" | "uses" | "isAwaited" | "options" | "kind" | "isSecret" | "tag";

/** The program after the edits. A declaration that would repeat an id in one list is left out. */
export function edited(program: Program, edits: readonly Edit[]): Program {
  return edits.reduce(apply, program);
}

function apply(program: Program, edit: Edit): Program {
  switch (edit.edit) {
    case "insert": {
      const ids = [...idsIn(program), ...idsIn([edit.step])];
      return new Set(ids).size < ids.length ? program : alike(put(program, edit.at, edit.step));
    }
    case "remove":
      return without(program, edit.id);
    case "move": {
      const step = find(program, edit.id);
      return step ? put(without(program, edit.id), edit.at, step) : program;
    }
    case "change":
      return changed(program, edit.id, (step) => ({ ...step, ...edit.to }));
    case "rename":
      if (find(program, edit.to)) return program;
      return changed(program, edit.id, (step) => {
        const { alias: _, ...rest } = step;
        // No engine runs a program in which two resources claim the same earlier id.
        const isTaken = declarationsIn(program).some(({ id, alias }) => id !== edit.id && alias === edit.id);
        return { ...rest, id: edit.to, ...(edit.keeps && !isTaken ? { alias: edit.id } : {}) };
      });
    case "wrap":
      return [{ do: "scope", name: edit.name, steps: program }];
    case "rename scope":
      return renamedScope(program, edit);
    case "reverse": {
      const at = edit.list % listsIn(program).length;
      return mapList(program, at, (steps) => steps.toReversed());
    }
  }
}

/** All scopes of a name get the alias that one of them has: they may be one scope. */
function alike(program: Program): Program {
  const aliases = new Map(
    scopesIn(program)
      .map(({ name, alias }) => [name, alias] as const)
      .filter(([, alias]) => alias),
  );
  return mapSteps(program, (step) => {
    const alias = step.do === "scope" ? aliases.get(step.name) : undefined;
    return alias === undefined ? step : { ...step, alias };
  });
}

function renamedScope(program: Program, { from, to, keeps }: Extract<Edit, { edit: "rename scope" }>): Program {
  if (scopesIn(program).some(({ name }) => name === to)) return program;
  const isTaken = scopesIn(program).some(({ name, alias }) => name !== from && alias === from);
  return mapSteps(program, (step) => {
    if (step.do !== "scope" || step.name !== from) return step;
    const { alias: _, ...rest } = step;
    return { ...rest, name: to, ...(keeps && !isTaken ? { alias: from } : {}) };
  });
}

/** All scopes of a tree, repeated as in the tree. */
export function scopesIn(program: Program): Group[] {
  return program.flatMap((step) => {
    const inner = step.do === "defer" ? scopesIn([step.step]) : "steps" in step ? scopesIn(step.steps) : [];
    return step.do === "scope" ? [step, ...inner] : inner;
  });
}

/**
 * All declarations of a tree, in its order; by default including those below steps that declare nothing, which never
 * run.
 */
export function declarationsIn(program: Program, isRunning = false): Declaration[] {
  return program.flatMap((step) => {
    switch (step.do) {
      case "declare":
        return [step, ...(isRunning && !hasParts(step.kind) ? [] : declarationsIn(step.steps, isRunning))];
      case "defer":
        return declarationsIn([step.step], isRunning);
      case "all":
      case "sequence":
      case "scope":
        return declarationsIn(step.steps, isRunning);
      default:
        return [];
    }
  });
}

function idsIn(program: Program): string[] {
  return declarationsIn(program).map(({ id }) => id);
}

function find(program: Program, id: string): Declaration | undefined {
  return declarationsIn(program).find((step) => step.id === id);
}

/** A copy of the tree in which `change` replaces each step; undefined leaves it out. */
function mapSteps(program: Program, change: (step: Step) => Step | undefined): Program {
  return program.flatMap((step): Step[] => {
    const now = change(step);
    if (!now) return [];
    return "steps" in now ? [{ ...now, steps: mapSteps(now.steps, change) }] : [now];
  });
}

function without(program: Program, id: string): Program {
  return mapSteps(program, (step) => {
    const declared = step.do === "defer" ? step.step : step;
    return declared.do === "declare" && declared.id === id ? undefined : step;
  });
}

function changed(program: Program, id: string, change: (step: Declaration) => Declaration): Program {
  return mapSteps(program, (step) => {
    if (step.do === "defer") return step.step.id === id ? { ...step, step: change(step.step) } : step;
    return step.do === "declare" && step.id === id ? change(step) : step;
  });
}

/** Every list of steps: the program's own, and those of groups, scopes, nests and bundles. */
function listsIn(program: Program): Program[] {
  const inner = program.flatMap((step): Program[] => {
    if (!("steps" in step)) return [];
    return step.do === "declare" && !hasParts(step.kind) ? [] : listsIn(step.steps);
  });
  return [program, ...inner];
}

function mapList(program: Program, at: number, change: (steps: Program) => Program): Program {
  let count = 0;
  const visit = (steps: Program): Program => {
    const isThis = count++ === at;
    const inner = steps.map((step): Step => {
      if (!("steps" in step) || (step.do === "declare" && !hasParts(step.kind))) return step;
      return { ...step, steps: visit(step.steps) };
    });
    return isThis ? change(inner) : inner;
  };
  return visit(program);
}

function put(program: Program, { list, index }: Spot, step: Step): Program {
  const at = list % listsIn(program).length;
  return mapList(program, at, (steps) => steps.toSpliced(index % (steps.length + 1), 0, step));
}
