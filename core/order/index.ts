/** Which resource comes before which: positions, families, orphans. Pure. */
export { familyOf, isBelow, needsOf, wholesOf } from "./family.js";
export { likelySources, sourcesAmong } from "./likely-sources.js";
export { DeletionOrder } from "./order.js";
export { findOrphans } from "./orphans.js";
export { type Placed, Placement } from "./placement.js";
export { comparePositions } from "./positions.js";
