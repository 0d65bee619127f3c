export { type CtyNumber, compareNumbers, isSameNumber, numberOf, numberText } from "../../internal/text/decimal.js";
export { type Conformed, conform } from "./conform.js";
export { concrete, decode, hasDynamic, withDynamics } from "./decode.js";
export { decodeJson, jsonText } from "./decode-json.js";
export { encode } from "./encode.js";
export { fingerprint, inOrderOf, isEqual, isTypeFor, sameType, setOf } from "./equal.js";
export { withKeptTypes } from "./kept-types.js";
export { shownPath } from "./reader.js";
export { mayBecome, type Refinements, refinementBytes, refinementsOf } from "./refinements.js";
export { areSecret, shown } from "./shown.js";
export type { CtyType } from "./type.js";
export { elementType, memberType, memoized, parseType, typeBytes } from "./type.js";
export { type CtyValue, Dynamic, Unknown } from "./value.js";
export {
  isKnown,
  isList,
  isNull,
  isRecord,
  isWhollyKnown,
  keyOf,
  memberOf,
  type Part,
  type Path,
  type PathStep,
  type Problem,
  partsOf,
  pathText,
  recordOf,
  touches,
  valueAt,
  walk,
} from "./walk.js";
