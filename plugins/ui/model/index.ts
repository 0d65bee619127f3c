/** A run as its events tell it, and as it is shown: one fold for server, page and file. Pure; knows neither Node nor a browser. */
export { kept } from "./bounded.js";
export { asEvent, eventIn } from "./event-line.js";
export type { Failed } from "./failed.js";
export { endOfEvents, reduce } from "./reduce.js";
export { type ResourceRow, rowKey, type ScopeNode } from "./row.js";
export { runRowOf } from "./run-row.js";
export { blockersOf, type Extent, extentOf, segmentsOf } from "./timeline.js";
export { emptyView, type Question, type RunView } from "./view.js";
