/** The view of a run: one fold of its events for server, page and file. Pure; uses neither Node nor browser APIs. */
export { kept } from "./bounded.js";
export { endOfEvents, reduce, stand } from "./reduce.js";
export {
  asEvent,
  commandOf,
  eventIn,
  isRefusal,
  outcomeOf,
  type ResourceRow,
  rowKey,
  runRowOf,
  type ScopeNode,
} from "./row.js";
export { blockersOf, type Extent, extentOf, segmentsOf } from "./timeline.js";
export type { Failed } from "./view.js";
export { emptyView, type Question, type RunView } from "./view.js";
