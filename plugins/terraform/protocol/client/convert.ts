/** What messages hold, in the terms of the contract. */
import { type CtyType, type CtyValue, decode, decodeJson, encode } from "../../cty/index.js";
import { integer, type Received, type Sent } from "../messages/index.js";
import type { DeferredReason, Diagnostic, PathStep, RawState, Typed } from "../provider-client.js";

const DEFERRED: readonly DeferredReason[] = [
  "unknown",
  "resource-config-unknown",
  "provider-config-unknown",
  "absent-prerequisite",
];

/** What is understood of what protocols allow; nothing is put off. */
export const CAPABILITIES: Sent<"ClientCapabilities"> = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

export function dynamicValue({ type, value }: Typed): Sent<"DynamicValue"> {
  return { msgpack: encode(type, value) };
}

/** What is not there is null. @throws EngineError `PROVIDER_FAILED` where it is no value of the type */
export function valueIn(type: CtyType, value: Received<"DynamicValue"> | null): CtyValue {
  if (value && value.msgpack.length > 0) return decode(type, value.msgpack);
  if (value && value.json.length > 0) return decodeJson(type, value.json);
  return null;
}

export function diagnosticsIn(diagnostics: readonly Received<"Diagnostic">[]): readonly Diagnostic[] {
  return diagnostics.map(({ severity, summary, detail, attribute }) => ({
    // What is neither is a mistake of the provider, and better heard than not.
    severity: severity === 2 ? "warning" : "error",
    summary,
    detail,
    path: attribute ? pathIn(attribute) : [],
  }));
}

/** As far as its steps are known. */
export function pathIn({ steps }: Received<"AttributePath">): readonly PathStep[] {
  const known = steps.map(stepIn);
  const end = known.indexOf(undefined);
  return known.slice(0, end < 0 ? undefined : end).filter((step) => step !== undefined);
}

function stepIn(step: Received<"Step">): PathStep | undefined {
  if (Object.hasOwn(step, "attributeName")) return step.attributeName;
  if (Object.hasOwn(step, "elementKeyString")) return { element: "string", key: step.elementKeyString };
  return Object.hasOwn(step, "elementKeyInt") ? integer(step.elementKeyInt) : undefined;
}

export function deferredIn(deferred: Received<"Deferred"> | null): { readonly deferred?: DeferredReason } {
  return deferred ? { deferred: DEFERRED[deferred.reason] ?? "unknown" } : {};
}

export function renewalIn(at: Received<"Timestamp"> | null): { readonly renewAt?: Date } {
  return at ? { renewAt: new Date(integer(at.seconds) * 1_000 + at.nanos / 1e6) } : {};
}

/** A copy: the part would keep the whole answer in memory. */
export function bytesIn(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

export function rawState({ json, flatmap }: RawState): Sent<"RawState"> {
  return json ? { json } : { flatmap: flatmap ?? {} };
}
