/** A program as a tree: declarations in sequences and Promise.all groups, and edits that make its next version. */

export interface Want {
  readonly name: string;
  /** True: passes on the output object itself, so that the engine sees the reference. */
  readonly refer: boolean;
}

export interface Declaration {
  readonly kind: "declaration";
  readonly name: string;
  /** A change updates the resource. */
  version: number;
  /** A change replaces the resource; an odd one deletes the old copy first. */
  copy: number;
  /** A change gives another output, which dependents see. */
  output: number;
  /** Outputs that it uses, if they are resolved in its branch. */
  wants: readonly Want[];
  /** The program continues when it fails. */
  readonly caught: boolean;
  /** Declarations of its handler. */
  readonly body: Group | undefined;
}

export interface Group {
  readonly kind: "group";
  mode: "sequence" | "all";
  readonly steps: Step[];
}

export type Step = Declaration | Group;

interface Place {
  readonly group: number;
  readonly index: number;
}

export type Edit =
  | ({ readonly edit: "insert" } & Place & Pick<Declaration, "name" | "wants" | "caught"> & { readonly nests: boolean })
  | ({ readonly edit: "move"; readonly name: string } & Place)
  | ({ readonly edit: "wrap"; readonly mode: Group["mode"]; readonly count: number } & Place)
  | { readonly edit: "toggle" | "reverse" | "rotate"; readonly group: number }
  | { readonly edit: "remove"; readonly name: string }
  | { readonly edit: "rewire"; readonly name: string; readonly wants: readonly Want[] }
  | { readonly edit: "update" | "replace"; readonly name: string; readonly shows: boolean };

export const emptyProgram = (): Group => ({ kind: "group", mode: "sequence", steps: [] });

/** Returns the program after the edits; the given one stays unchanged. */
export function edited(program: Group, edits: readonly Edit[]): Group {
  const next = cloneGroup(program);
  for (const edit of edits) apply(next, edit);
  return next;
}

function apply(program: Group, edit: Edit): void {
  switch (edit.edit) {
    case "insert": {
      if (find(program, edit.name)) return;
      const { name, wants, caught, nests } = edit;
      const body = nests ? emptyProgram() : undefined;
      put(program, edit, { kind: "declaration", name, version: 0, copy: 0, output: 0, wants, caught, body });
      return;
    }
    case "move": {
      const step = take(program, edit.name);
      if (step) put(program, edit, step);
      return;
    }
    case "remove":
      take(program, edit.name);
      return;
    case "wrap": {
      const group = groupAt(program, edit.group);
      const from = edit.index % (group.steps.length + 1);
      const steps = group.steps.splice(from, edit.count);
      group.steps.splice(from, 0, { kind: "group", mode: edit.mode, steps });
      return;
    }
    case "toggle": {
      const group = groupAt(program, edit.group);
      group.mode = group.mode === "all" ? "sequence" : "all";
      return;
    }
    case "reverse":
      groupAt(program, edit.group).steps.reverse();
      return;
    case "rotate": {
      const { steps } = groupAt(program, edit.group);
      steps.push(...steps.splice(0, steps.length >> 1));
      return;
    }
    case "rewire": {
      const step = find(program, edit.name);
      if (step) step.wants = edit.wants;
      return;
    }
    case "update":
    case "replace": {
      const step = find(program, edit.name);
      if (!step) return;
      if (edit.edit === "update") step.version++;
      else step.copy++;
      if (edit.shows) step.output++;
      return;
    }
  }
}

function cloneGroup({ kind, mode, steps }: Group): Group {
  return { kind, mode, steps: steps.map(cloneStep) };
}

function cloneStep(step: Step): Step {
  if (step.kind === "group") return cloneGroup(step);
  return { ...step, body: step.body && cloneGroup(step.body) };
}

function groupsOf(group: Group): Group[] {
  return [
    group,
    ...group.steps.flatMap((step) => {
      if (step.kind === "group") return groupsOf(step);
      return step.body ? groupsOf(step.body) : [];
    }),
  ];
}

function groupAt(program: Group, index: number): Group {
  const groups = groupsOf(program);
  return groups[index % groups.length] ?? program;
}

function put(program: Group, { group, index }: Place, step: Step): void {
  const { steps } = groupAt(program, group);
  steps.splice(index % (steps.length + 1), 0, step);
}

const named = (name: string) => (step: Step) => step.kind === "declaration" && step.name === name;

function find(program: Group, name: string): Declaration | undefined {
  for (const group of groupsOf(program)) {
    const step = group.steps.find(named(name));
    if (step?.kind === "declaration") return step;
  }
  return undefined;
}

function take(program: Group, name: string): Step | undefined {
  for (const { steps } of groupsOf(program)) {
    const index = steps.findIndex(named(name));
    if (index >= 0) return steps.splice(index, 1)[0];
  }
  return undefined;
}
