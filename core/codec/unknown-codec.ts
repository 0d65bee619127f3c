/** The codec of a plan knows values that nobody knows yet, and what is known of them. */

import { knownMembers, unknownName, unknownValue } from "../base/index.js";
import type { CodecHooks } from "./codec.js";
import { isList } from "./keys.js";
import { UNKNOWN_TAG } from "./unknowns.js";

export function withUnknowns({ encodeValue, decodeValue }: CodecHooks): CodecHooks {
  return {
    encodeValue(context) {
      const name = unknownName(context.value);
      if (name === undefined) return encodeValue?.(context);
      return { [UNKNOWN_TAG]: [name, context.encode(knownMembers(context.value))] };
    },
    decodeValue(context) {
      if (context.tag !== UNKNOWN_TAG) return decodeValue?.(context);
      const [name, known] = isList(context.body) ? context.body : [];
      const members = context.decode(known ?? {});
      return { value: unknownValue(String(name), { ...Object(members) }) };
    },
  };
}
