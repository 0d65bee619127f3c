/** A stage as it was at one moment, what differs between two of them, and what a resource was in all of them. */
export type { ValueLimits } from "./cut.js";
export {
  type DifferenceOptions,
  differenceBetween,
  type ResourceDifference,
  type StageDifference,
} from "./difference.js";
export type { FindOptions, FoundText } from "./find.js";
export { copyAt, keptAt } from "./kept-copy.js";
export { markOf } from "./mark.js";
export type { PartOptions, ValuePart } from "./part.js";
export { type StageView, viewOf } from "./stage-view.js";
export { type RecordedValue, valuesOf } from "./values.js";
