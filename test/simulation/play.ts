/** Runs a program, given as a tree, in a simulated process. */

import { unknownName } from "../../core/base/index.js";
import { type PendingResource, Scope } from "../../core/contract/index.js";
import type { Engine } from "../../plugins/engine/index.js";
import { Secret } from "../../plugins/secrets/secret.js";
import type { Output, Props } from "./handlers.ts";
import { kinds } from "./kinds.ts";
import { type Declaration, hasParts, type Program, type Step } from "./program.ts";
import { SECRET } from "./secrets-in-clear.ts";
import type { World } from "./world.ts";

export interface Stage {
  readonly engine: Engine;
  readonly world: World;
  /** Name of the process. */
  readonly process: string;
  /** False: secrets are plain values. */
  readonly hasSecrets: boolean;
  /** False: the program is only planned, or read. */
  readonly isUp: boolean;
}

/** Values that a branch of the program has. */
interface Branch {
  readonly scope: Scope;
  readonly held: Map<string, Output>;
  readonly pending: Map<string, PendingResource<Output>>;
  readonly parent: string | undefined;
}

export async function play(stage: Stage, scope: Scope, program: Program): Promise<void> {
  await sequence(stage, program, { scope, held: new Map(), pending: new Map(), parent: undefined });
}

async function sequence(stage: Stage, steps: Program, branch: Branch): Promise<void> {
  const open: Promise<Gain>[] = [];
  for (const step of steps) {
    const done = take(stage, step, branch);
    if (step.do === "declare" && !step.isAwaited) {
      open.push(done);
      // It is awaited below, unless a later step fails first.
      done.catch(() => {});
    } else (await done)();
  }
  for (const gain of await Promise.all(open)) gain();
}

/** Values that a step adds to the branch, once the program has awaited it. */
type Gain = () => void;
const NOTHING: Gain = () => {};

async function take(stage: Stage, step: Step, branch: Branch): Promise<Gain> {
  const { scope, held, pending } = branch;
  switch (step.do) {
    case "declare":
      return declare(stage, step, branch);
    case "sequence":
      await sequence(stage, step.steps, branch);
      return NOTHING;
    case "all": {
      // A branch does not see the values of others: otherwise delays would change the program.
      const branches = step.steps.map((inner) => ({ inner, own: copyOf(branch) }));
      const gains = await Promise.all(branches.map(({ inner, own }) => take(stage, inner, own)));
      return () => {
        for (const gain of gains) gain();
        for (const { own } of branches) {
          for (const [id, output] of own.held) held.set(id, output);
          for (const [id, made] of own.pending) pending.set(id, made);
        }
      };
    }
    case "scope":
      await stage.engine.run(step.name, step.alias === undefined ? {} : { aliases: [step.alias] }, (inner) =>
        sequence(stage, step.steps, { ...branch, scope: inner }),
      );
      return NOTHING;
    case "data":
      if (stage.isUp) await (step.value === 0 ? scope.delete(step.key) : scope.set(step.key, step.value));
      return NOTHING;
    case "defer": {
      const own = copyOf(branch);
      scope.defer(() => declare(stage, step.step, own)).catch(() => {});
      return NOTHING;
    }
    case "destroy": {
      const output = held.get(step.id);
      if (!output || !stage.isUp || branch.parent !== undefined) return NOTHING;
      stage.world.ask(output.uid, stage.process);
      // A target excludes it, and its output is unknown so far.
      if (unknownName(output) !== undefined) stage.world.askAt(pending.get(step.id)?.fqn ?? "", stage.process);
      await stage.engine.destroy(output);
      held.delete(step.id);
      return NOTHING;
    }
    case "throw":
      // A handler that always throws would prevent an unchanged run for ever.
      if (branch.parent !== undefined) return NOTHING;
      throw new Error("no program: it throws");
  }
}

function copyOf(branch: Branch): Branch {
  return { ...branch, held: new Map(branch.held), pending: new Map(branch.pending) };
}

async function declare(stage: Stage, step: Declaration, branch: Branch): Promise<Gain> {
  const { world, process, hasSecrets } = stage;
  const { scope, held, pending, parent } = branch;
  const fqn = scope.fqn(step.id);
  const uses: Record<string, unknown> = {};
  const used: string[] = [];
  const refs: string[] = [];
  const later: PromiseLike<unknown>[] = [];
  const dependsOn: PendingResource<Output>[] = [];
  for (const { id, as } of step.uses) {
    const output = held.get(id);
    const before = pending.get(id);
    if (as === "depends") {
      if (!before || id === step.id) continue;
      dependsOn.push(before);
      later.push(before.then(({ uid }) => [used, refs].map((uids) => uids.push(uid))));
    } else if (as === "pending" && before && id !== step.id) {
      uses[id] = before;
      later.push(before.then(({ uid }) => [used, refs].map((uids) => uids.push(uid))));
    } else if (output) {
      const isReference = as === "output" && output.uid !== "";
      uses[id] = isReference ? output : output.says;
      if (output.uid !== "") used.push(output.uid);
      if (isReference) refs.push(output.uid);
    }
  }
  // A child that is no longer protected learns it only if its parent's handler runs again.
  const protects = step.options.protect === true && parent === undefined;
  const adopts = step.options.adopt ?? scope.adopt;
  world.intend(process, fqn, { uses: used, refs, parent, adopts, protects, declared: step });
  const before = world.calls.length;
  const { retry, retain, ignores, protect: _, ...options } = step.options;
  if (options.deleteBeforeReplace || (step.kind === "plain" && step.name % 2 === 1)) {
    for (const { fqn: other, uid } of world.things.values()) if (other === fqn) world.ask(uid);
    // It may have had another name when it was made.
    world.asked.add(fqn);
  }
  const value = step.isSecret && hasSecrets ? new Secret(`${SECRET}${step.value}`) : step.value;
  const made = kinds[step.kind](
    step.id,
    {
      value,
      name: step.name,
      uses: uses as never,
      body: hasParts(step.kind) ? JSON.stringify(step.steps) : "",
      ...(step.tag === undefined ? {} : { tag: step.tag }),
    },
    {
      ...options,
      ...(protects ? { protect: true } : {}),
      ...(retain ? { retainOnDelete: true } : {}),
      ...(ignores ? { ignoreChanges: ["tag"] } : {}),
      ...(dependsOn.length > 0 ? { dependsOn } : {}),
      ...(retry ? { retry: { attempts: retry, delay: 100 } } : {}),
      ...(step.alias === undefined ? {} : { aliases: [step.alias] }),
    },
  ) as PendingResource<Output>;
  pending.set(step.id, made);
  try {
    const output = await made;
    await Promise.all(later);
    const isSkipped = !world.calls
      .slice(before)
      .some((call) => call.process === process && call.fqn === fqn && call.phase !== "read");
    if (isSkipped && stage.isUp) world.shown(output.uid, used);
    return () => held.set(step.id, output);
  } catch (error) {
    for (const one of later) Promise.resolve(one).catch(() => {});
    if (!step.isCaught) throw error;
    return NOTHING;
  }
}

/**
 * The declarations in the handler of a nest, which depend only on its props: children may use the values that it uses
 * itself.
 */
export async function inside(stage: Stage, { body, uses }: Props, uid: string): Promise<void> {
  const held = new Map<string, Output>();
  for (const [id, value] of Object.entries(Object(uses))) {
    const says = typeof value === "string" ? value : String(Reflect.get(Object(value), "says"));
    held.set(id, typeof value === "string" ? { thing: "", uid: "", says } : (value as Output));
  }
  await sequence(stage, JSON.parse(body), { scope: Scope.current, held, pending: new Map(), parent: uid });
}
