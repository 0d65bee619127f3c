/** A world whose stage has plugins "p0", "p1", …, each of which taps hooks. */
import type { EngineHooks } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";
import type { StageOptions } from "../../helpers/apps/stage.js";
import type { TypeOptions } from "../../helpers/apps/world.js";

export type Tap = (hooks: EngineHooks) => void;

export function tappedWorld(taps: readonly Tap[], type: TypeOptions = {}, options: StageOptions = {}): NewWorld {
  const plugins = taps.map((tap, index) => definePlugin({ name: `p${index}`, apply: ({ hooks }) => tap(hooks) }));
  return newWorld({ replaceOn: ["name"], ...type }, { plugins, ...options });
}
