/** Thousands of resources, and what their handlers see. */
import type { Scope } from "../../../core/contract/scope.js";
import { Resource } from "../../../core/resource/define.js";
import { recordsOf } from "../../helpers/stage.js";
import { newKind } from "../../helpers/world.js";

/** More than twice of what one append takes. */
export const COUNT = 10_000;

export const ids = Array.from({ length: COUNT }, (_, index) => `r${index}`);

interface Seen {
  readonly calls: string[];
  /** The most intents that were recorded when a handler began. */
  pending: number;
}

/** A type whose handlers answer at once, and what they saw. */
export function setUp(app: () => Scope, before: () => void = () => {}) {
  const seen: Seen = { calls: [], pending: 0 };
  const called = (phase: string) => (context: { readonly id: string; readonly props: { readonly value: number } }) => {
    const { id, props } = context;
    seen.calls.push(`${phase} ${id} ${props.value}`);
    if (seen.calls.length % 50 === 1) {
      const pending = recordsOf(app()).filter(({ status }) => status !== "ready").length;
      seen.pending = Math.max(seen.pending, pending);
    }
    before();
    return { id };
  };
  const Thing = Resource<{ id: string }, { value: number }>(newKind(), {
    create: called("create"),
    update: called("update"),
    delete: () => {},
  });
  return { Thing, seen };
}
