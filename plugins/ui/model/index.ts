/** A run as its events tell it, and as it is shown: one fold for server, page and file. Pure; knows neither Node nor a browser. */
export { kept } from "./bounded.js";
export { endOfEvents, reduce } from "./reduce.js";
export { asEvent, eventIn, type ResourceRow, rowKey, runRowOf, type ScopeNode } from "./row.js";
export { blockersOf, type Extent, extentOf, segmentsOf } from "./timeline.js";
export type { Failed } from "./view.js";
export { emptyView, type Question, type RunView } from "./view.js";
