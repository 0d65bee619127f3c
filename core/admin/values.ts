/** Recorded values as people may see them. */

import type { Redact } from "../base/index.js";
import { createCodec } from "../codec/index.js";
import { type Encoded, fqnIn, type ValueSlot } from "../contract/index.js";
import type { EngineApp } from "../engine/index.js";
import { renderWhole } from "../render/index.js";
import { scopeAt } from "../scope/index.js";

/** Where a recorded value stands. */
export interface ValueAt {
  /** Path of the scope whose options hold for it. */
  readonly folder: string;
  /** Path of the resource or scope that it is of. */
  readonly path: string;
  readonly owner: string;
  readonly slot: ValueSlot;
  /** In data. */
  readonly key?: string;
}

/** A value as JSON. */
export type ShowValue = (encoded: Encoded, at: ValueAt) => unknown;

const codec = createCodec({ decodeValue: ({ tag }) => ({ value: `(${tag.slice(1)})` }) });

/** What plugins have encoded is named only, e.g. "(secret)": nobody is asked for a password. */
export function masked(redact: Redact): ShowValue {
  return (encoded) => renderWhole(codec.decode(encoded), redact);
}

/**
 * With what plugins have encoded, in clear.
 *
 * @param own an app that has loaded the state
 * @param reveal gives what a decoded value holds
 */
export function revealed(own: EngineApp, reveal: (value: unknown) => unknown): ShowValue {
  return async (encoded, { folder, path, owner, slot, key }) => {
    const fqn = path === "" ? own.root.chain.join("/") : fqnIn(own.root, path);
    const value = await own.codec.decode(encoded, { scope: scopeAt(own, folder), fqn, owner, slot, key });
    return renderWhole(reveal(value), (text) => text);
  };
}
