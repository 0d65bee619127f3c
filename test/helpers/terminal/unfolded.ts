import type { EngineEvents } from "../../../core/contract/index.js";

type Warning = EngineEvents["warning"];

/** A warning about several resources, as one for each. */
export function unfolded({ fqns, ...warning }: Warning): readonly Warning[] {
  return fqns ? fqns.map((fqn) => ({ ...warning, fqn })) : [warning];
}
