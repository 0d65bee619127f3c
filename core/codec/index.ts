/** Values of programs as JSON with tags, and back; what is equal, unknown, or deep inside of them. */
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
export { maxDepth, type Path, pointerOf, pointerToken, readablePath, safePath } from "./path.js";
export { leadsSomewhere, pathsOf, propPath, touches, valueAt, withRecorded } from "./prop-path.js";
export { withUnknowns } from "./unknown-codec.js";
export { holdsUnknown, holdsUnknownAt, textIn, UNKNOWN_TAG, withMarkers } from "./unknowns.js";
export { hasForeign, type ValueLocation } from "./value-location.js";
