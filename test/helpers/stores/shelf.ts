/** Resources that are identified by a name, and that may have existed before any engine. */

import type { HandlerBase, HandlersDefinition } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newKind } from "../apps/world.js";

interface ItemProps {
  /** Default: the physical name. */
  readonly name?: string;
  readonly text: string;
}

interface ItemOutput {
  readonly name: string;
  readonly text: string;
}

interface ShelfOptions {
  /** False: the type has none. */
  readonly read?: boolean;
  readonly update?: boolean;
}

type Interference = (context: HandlerBase) => Promise<void> | void;

/** A type of its own, whose create refuses a name that is taken. */
export function shelf({ read = true, update = true }: ShelfOptions = {}) {
  const there = new Map<string, string>();
  const calls: string[] = [];
  const interferences = new Map<string, Interference>();
  const seen: HandlerBase[] = [];
  const called = async (context: HandlerBase & { readonly phase: string }): Promise<void> => {
    calls.push(`${context.phase} ${context.id}`);
    seen.push(context);
    return interferences.get(context.phase)?.(context);
  };
  const definition: HandlersDefinition<ItemOutput, ItemProps> = {
    async create(context) {
      await called(context);
      const { name = context.physicalName, text } = context.props;
      if (there.has(name)) throw Object.assign(new Error(`${name} is taken`), { code: "EEXIST" });
      there.set(name, text);
      return { name, text };
    },
    async read(context) {
      await called(context);
      const { props, output, physicalName, recovering } = context;
      const { name } = output ?? { name: props.name ?? physicalName };
      const text = there.get(name);
      return text === undefined || recovering ? undefined : { name, text };
    },
    async update(context) {
      await called(context);
      const { name } = context.output;
      there.set(name, context.props.text);
      return { name, text: context.props.text };
    },
    async delete(context) {
      await called(context);
      there.delete(context.output.name);
    },
  };
  if (!read) delete definition.read;
  if (!update) delete definition.update;
  return {
    Item: Resource(newKind(), definition),
    there,
    /** `create a`, `read a`, … */
    calls,
    /** The context of each call. */
    seen,
    /** From now on this happens first in the handlers of a phase. */
    on: (phase: string, act: Interference) => void interferences.set(phase, act),
    calm: () => interferences.clear(),
    news: () => calls.splice(0),
  };
}
