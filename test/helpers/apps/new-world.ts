/** A world with one resource type, and a stage whose programs make and change its resources. */
import type { EngineOptions, Scope } from "../../../core/contract/index.js";
import type { Engine } from "../../../plugins/engine/index.js";
import { Stage, type StageOptions } from "./stage.js";
import { lost, type TypeOptions, World } from "./world.js";

type Program = (app: Scope) => unknown;
type Failing = (call: string, program: Program, options?: EngineOptions) => Promise<readonly unknown[]>;

export interface NewWorld {
  readonly world: World;
  readonly Thing: ReturnType<World["type"]>;
  readonly stage: Stage;
  readonly run: Engine["run"];
  readonly destroy: Engine["destroy"];
  /**
   * Runs a program in which a call fails, and returns the errors. Later calls succeed; earlier ones are not in the next
   * `news()`.
   */
  readonly failed: Failing;
  /** The same, but the call takes effect, and its answer is lost. */
  readonly lost: Failing;
}

export function newWorld(type: TypeOptions = {}, options: StageOptions = {}): NewWorld {
  const world = new World();
  const stage = new Stage(options);
  const { run, destroy } = stage.engine;
  const failing =
    (mishap: (call: string) => void): Failing =>
    async (call, program, more) => {
      mishap(call);
      const errors = await stage.failures(program, more);
      world.calm(call);
      world.news();
      return errors;
    };
  return {
    world,
    Thing: world.type(type),
    stage,
    run,
    destroy,
    failed: failing((call) => world.fails(call)),
    lost: failing((call) => lost(world, call)),
  };
}
