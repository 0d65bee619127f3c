/** Values of left-out resources without a record: they must reach neither a handler nor the state. */

import { EngineError, type ResourceRef, unknownName, withoutMarkers } from "../../base/index.js";
import {
  type Codec,
  type CodecHooks,
  createCodec,
  isList,
  isPlainObject,
  textIn,
  UNKNOWN_TAG,
  type ValueLocation,
  withUnknowns,
} from "../../codec/index.js";
import type { Encoded, ResolvedOptions } from "../../contract/index.js";
import type { Selection } from "./selection.js";

class LeftOutError extends EngineError {}

/**
 * True for an error that a plan does not excuse as caused by unknown values, because a run would fail with it as well.
 */
export function isOfLeftOut(error: unknown): boolean {
  return plain(error) instanceof LeftOutError;
}

/** Creates the codec of an app: in a plan it knows unknown values, and it refuses those of left-out resources. */
export function codecOf(
  { plan, target, exclude }: Pick<ResolvedOptions, "plan" | "target" | "exclude">,
  hooks: CodecHooks,
  selection: () => Selection | undefined,
): Codec {
  const known = plan ? withUnknowns(hooks) : hooks;
  return target === undefined && exclude === undefined ? createCodec(known) : refusing(known, selection);
}

function refusing(hooks: CodecHooks, selection: () => Selection | undefined): Codec {
  const { encodeValue } = hooks;
  const inner = createCodec({
    ...hooks,
    encodeValue: (context) => {
      const chosen = selection();
      const source = chosen && sourceOfValue(chosen, context.value);
      if (source !== undefined) throw leftOut(source, context);
      if (!chosen) return encodeValue?.(context);
      // A plugin's result cannot be inspected, e.g. the text in a secret.
      try {
        return encodeValue?.({ ...context, encode: (value) => checked(chosen, context.encode(value), context) });
      } catch (error) {
        throw plain(error);
      }
    },
  });
  function encode(value: unknown): Encoded;
  function encode(value: unknown, location: ValueLocation): Encoded | Promise<Encoded>;
  function encode(value: unknown, location?: ValueLocation): Encoded | Promise<Encoded> {
    if (location === undefined) return inner.encode(value);
    const encoded = inner.encode(value, location);
    const chosen = selection();
    if (!chosen) return encoded;
    if (encoded instanceof Promise) return encoded.then((complete) => checked(chosen, complete, location));
    return checked(chosen, encoded, location);
  }
  return { encode, decode: inner.decode };
}

/** Removes the wrapper that names the plugin. */
function plain(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof LeftOutError) return at;
  return error;
}

/** Refuses unknown values before plugins and the type's schema see them. @throws EngineError `UNKNOWN_VALUE` */
export function refuseUnknown(
  selection: Selection,
  { ref: { fqn } }: { readonly ref: ResourceRef },
  props: unknown,
): void {
  // A value that contains itself is infinite; the codec refuses it with its path.
  const seen = new Set<unknown>();
  const look = (value: unknown): void => {
    const source = typeof value === "string" ? sourceInText(selection, value) : sourceOfValue(selection, value);
    if (source !== undefined) throw leftOut(source, { fqn, slot: "props" });
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) for (const element of value) look(element);
    else if (isPlainObject(value)) for (const entry of Object.entries(value)) for (const one of entry) look(one);
  };
  look(props);
}

function checked(selection: Selection, encoded: Encoded, location: Pick<ValueLocation, "fqn" | "slot">): Encoded {
  const source = sourceIn(selection, encoded);
  if (source === undefined) return encoded;
  throw leftOut(source, location);
}

function sourceIn(selection: Selection, encoded: Encoded): string | undefined {
  if (typeof encoded === "string") return sourceInText(selection, encoded);
  if (typeof encoded !== "object" || encoded === null) return undefined;
  if (isList(encoded)) return first(encoded, (one) => sourceIn(selection, one));
  return first(Object.entries(encoded), ([key, member]) => {
    if (key === UNKNOWN_TAG && isList(member)) {
      return selection.sourceOf(String(member[0])) ?? sourceIn(selection, member[1] ?? null);
    }
    if (key === "$bytes") return sourceInText(selection, textIn(member));
    return sourceInText(selection, key) ?? sourceIn(selection, member);
  });
}

function sourceOfValue(selection: Selection, value: unknown): string | undefined {
  const name = unknownName(value);
  return name === undefined ? undefined : selection.sourceOf(name);
}

function sourceInText(selection: Selection, text: string): string | undefined {
  let found: string | undefined;
  withoutMarkers(text, (what) => {
    found ??= selection.sourceOf(what);
    return "";
  });
  return found;
}

function first<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const HOLDERS = { props: "The props of", output: "The output of", data: "The data of" } as const;

function leftOut(source: string, { fqn, slot }: Pick<ValueLocation, "fqn" | "slot">): LeftOutError {
  const message = `${HOLDERS[slot]} "${fqn}" would hold a value of "${source}", which is left out of this run and has no usable record. Target it as well (target, --target "${source}"), or do not exclude it.`;
  return new LeftOutError("UNKNOWN_VALUE", message, { fqn });
}
