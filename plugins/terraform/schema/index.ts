export { holdsSecret, planViolations } from "./attribute-violations.js";
export { type Config, configOf, stateOf } from "./config.js";
export { type Difference, differences } from "./differences.js";
export { givenValue, normalized, type PropProblem } from "./given-value.js";
export {
  attributeOf,
  attributesAndBlocks,
  attributesOf,
  blockOf,
  blocksOf,
  closeBlocks,
  emptyBlocks,
  emptyValue,
  holding,
  impliedType,
  isComputedOnly,
  type Level,
  type Nested,
  type Nesting,
  nestedIn,
  openBlocks,
  typeOfAttribute,
  typeOfBlocks,
  typeOfNested,
} from "./level.js";
export { maskForms, withoutWriteOnly, writeOnlyPaths } from "./marked-paths.js";
export { type Names, namesOf, namesOfTypes, type ProgramPath, programPath, programPathText } from "./names.js";
export { proposedData, proposedNew } from "./proposed-new.js";
export { propsOf, type Show, type UndefinedProp, undefinedProps, valueForProgram } from "./props.js";
export { resultViolations } from "./result-violations.js";
export type {
  Attribute,
  Block,
  Capabilities,
  FunctionParameter,
  NestedAttributes,
  NestedBlock,
  ProviderFunction,
  ProviderSchema,
  Schema,
} from "./schema.js";
export { META_ARGUMENTS, type OwnTypes, ownTypes } from "./schema.js";
export { type Apart, apart, together } from "./written-only.js";
