/** The codec of a plan knows values that nobody knows yet. */
import { unknownName, unknownValue } from "../resource/unknown.js";
import type { CodecHooks } from "../state/codec.js";
import { UNKNOWN_TAG } from "./unknowns.js";

export function withUnknowns({ encodeValue, decodeValue }: CodecHooks): CodecHooks {
  return {
    encodeValue(context) {
      const name = unknownName(context.value);
      return name === undefined ? encodeValue?.(context) : { [UNKNOWN_TAG]: name };
    },
    decodeValue(context) {
      if (context.tag !== UNKNOWN_TAG) return decodeValue?.(context);
      return { value: unknownValue(String(context.body)) };
    },
  };
}
