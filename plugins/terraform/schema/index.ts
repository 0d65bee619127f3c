export { holdsSecret } from "./attribute-violations.js";
export { type Config, configOf, stateOf } from "./config.js";
export { type Difference, differences } from "./differences.js";
export { givenValue, type PropProblem } from "./given-value.js";
export { impliedType, typeOfAttribute, typeOfBlocks, typeOfNested } from "./implied-type.js";
export {
  attributeOf,
  blockOf,
  blocksOf,
  holding,
  isComputedOnly,
  type Level,
  type Nested,
  type Nesting,
  nestedIn,
} from "./level.js";
export { withoutWriteOnly, writeOnlyPaths } from "./marked-paths.js";
export { maskForms } from "./mask-forms.js";
export { type Names, namesOf, namesOfTypes } from "./names.js";
export { emptyBlocks, emptyValue } from "./nested-values.js";
export { normalized } from "./normalized.js";
export { type OwnTypes, ownTypes } from "./own-types.js";
export { planViolations } from "./plan-violations.js";
export { type ProgramPath, programPath, programPathText } from "./program-path.js";
export { proposedData, proposedNew } from "./proposed-new.js";
export { propsOf, type Show, valueForProgram } from "./props.js";
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
export { type UndefinedProp, undefinedProps } from "./undefined-props.js";
export { type Apart, apart, together } from "./written-only.js";
