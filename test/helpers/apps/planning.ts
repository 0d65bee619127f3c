/** Plans of a stage, beside its runs. */

import { memoryStore } from "../../../adapters/memory/index.js";
import type { EngineOptions, Plan, Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { observed, type Requests } from "../stores/observed-store.js";
import { Stage } from "./stage.js";
import { newKind, type TypeOptions, World } from "./world.js";

export interface Planned {
  readonly world: World;
  readonly stage: Stage;
  readonly requests: Requests;
  readonly Thing: ReturnType<World["type"]>;
  plan(program: (app: Scope) => unknown, options?: EngineOptions): Promise<Plan>;
}

export function setUpPlans(type: TypeOptions = {}): Planned {
  const world = new World();
  const { store, requests } = observed(memoryStore());
  const stage = new Stage({ stateStore: store });
  const plan: Planned["plan"] = (program, options = {}) =>
    stage.engine.plan("app", { stage: "dev", argv: [], env: {}, stateStore: store, ...options }, program);
  return { world, stage, requests, Thing: world.type(type), plan };
}

/** Each action with its reason, e.g. `update a: props.value changed`. */
export function said({ actions }: Plan): string[] {
  return actions.map(({ action, fqn, reason }) => `${action} ${fqn.replace("app/dev/", "")}: ${reason}`);
}

/** A network whose address is not known before it is created. */
export const newNetwork = () =>
  Resource<{ name: string; address: string }, { name: string; zone?: string }>(newKind(), {
    create: ({ props }) => ({ name: props.name, address: `10.0.0.${props.name.length}` }),
    update: ({ props, output }) => ({ ...output, name: props.name }),
    delete: () => {},
    outputs: ({ props }) => ({ name: props.name }),
    replaceOn: ["zone"],
  });
