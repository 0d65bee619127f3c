/**
 * Encoding of program values as JSON with tags, equality of encoded values, paths into them, and unknown values in
 * them.
 */
export { isError, isPlainObject } from "./builtin.js";
export { type Codec, type CodecHooks, canonical, createCodec } from "./codec.js";
export { type Same, sameEncoded } from "./equal.js";
export { type InputWatcher, resolveInputs } from "./inputs.js";
export {
  type EncodedMembers,
  escapeKey,
  isList,
  isTagged,
  memberOf,
  membersOf,
  presentOf,
  setMember,
  tagOf,
  unescapeKey,
} from "./keys.js";
export {
  leadsSomewhere,
  maxDepth,
  type Path,
  pathsOf,
  pointerOf,
  pointerToken,
  propPath,
  readablePath,
  safePath,
  touches,
  valueAt,
  withRecorded,
} from "./path.js";
export { hasForeign, type ValueLocation } from "./refusal.js";
export { holdsUnknown, holdsUnknownAt, textIn, UNKNOWN_TAG, withMarkers, withUnknowns } from "./unknowns.js";
