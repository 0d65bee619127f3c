/** Runs a program, given as a tree, with the engine. */
import type { Scope } from "../../../../core/contract/index.js";
import type { Declaration, Group, Step } from "../order-world/program.ts";
import { type Ground, Node, type Outputs } from "./ground.ts";

/** A running branch of a program. */
interface Branch {
  readonly ground: Ground;
  readonly home: string | undefined;
  /** FQN of the scope in which it declares. */
  readonly path: string;
}

export async function play(scope: Scope, ground: Ground, program: Group): Promise<void> {
  await group(program, new Map(), { ground, home: undefined, path: scope.chain.join("/") });
}

/** Resolves with the outputs that the branch holds afterwards. */
function step(next: Step, outputs: Outputs, branch: Branch): Promise<Outputs> {
  return next.kind === "group" ? group(next, outputs, branch) : declare(next, outputs, branch);
}

async function group({ mode, steps }: Group, outputs: Outputs, branch: Branch): Promise<Outputs> {
  if (mode === "sequence") {
    let held = outputs;
    for (const next of steps) held = await step(next, held, branch);
    return held;
  }
  const all = new Map(outputs);
  for (const held of await Promise.all(steps.map((next) => step(next, outputs, branch)))) {
    for (const [name, output] of held) if (outputs.get(name) !== output) all.set(name, output);
  }
  return all;
}

async function declare(next: Declaration, outputs: Outputs, { ground, home, path }: Branch): Promise<Outputs> {
  const fqn = `${path}/${next.name}`;
  const used = new Map(next.wants.flatMap(({ name }) => [...outputs].filter(([other]) => other === name)));
  const inside = (uid: string): Promise<Outputs> =>
    next.body ? group(next.body, used, { ground, home: uid, path: fqn }) : Promise.resolve(used);
  ground.intentions.set(fqn, { step: next, used, home, inside });
  const values = Object.fromEntries([...used].map(([name, { value }]) => [name, value]));
  const dependsOn = next.wants.flatMap(({ name, refer }) => (refer ? (used.get(name) ?? []) : []));
  const before = ground.calls.length;
  try {
    const output = await Node(next.name, { version: next.version, copy: next.copy, values }, { dependsOn });
    const isSkipped = !ground.calls.slice(before).some((call) => call.endsWith(` ${fqn}`));
    if (isSkipped) ground.shown(output.uid, used);
    return new Map([...outputs, [next.name, output], ...Object.entries(output.exposes)]);
  } catch (error) {
    if (next.caught) return outputs;
    throw error;
  }
}
