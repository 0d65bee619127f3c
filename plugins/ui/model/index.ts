/** A run as its events tell it, and as it is shown: one fold for server, page and file. Pure; knows neither Node nor a browser. */
export { type Bounded, kept } from "./bounded.js";
export { asEvent, eventIn } from "./event-line.js";
export type { Failed } from "./failed.js";
export { endOfEvents, reduce } from "./reduce.js";
export type { ResourceRow, RowResult, RowState, ScopeNode } from "./row.js";
export { durationOf, runRowOf } from "./run-row.js";
export {
  type Blocker,
  blockersOf,
  type Extent,
  extentOf,
  type Segment,
  type SegmentKind,
  segmentsOf,
} from "./timeline.js";
export {
  emptyView,
  type LogLine,
  type ProcessRow,
  type Question,
  type RunHead,
  type RunView,
  type Wait,
  type Warned,
} from "./view.js";
