/** Which resource comes before which: positions, families, orphans. Pure. */
export { descendantsOf, isBelow, needsOf, wholesOf } from "./descendants.js";
export { likelySources, sourcesAmong } from "./likely-sources.js";
export { DeletionOrder } from "./order.js";
export { findOrphans } from "./orphans.js";
export { Placement, type Positioned } from "./placement.js";
export { comparePositions } from "./positions.js";
