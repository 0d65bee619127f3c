/** The order of resources: positions, descendants, orphans. Pure. */

export { DeletionOrder } from "./order.js";
export { Placement, type Positioned } from "./placement.js";
export { comparePositions } from "./positions.js";
export {
  descendantsOf,
  findOrphans,
  inferredDependencies,
  isBelow,
  needsOf,
  sourcesAmong,
  wholesOf,
  withDescendants,
} from "./relations.js";
