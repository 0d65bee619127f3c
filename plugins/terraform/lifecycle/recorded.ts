/** What is recorded of a resource beside its output: the version of the schema that it fits, and what its provider keeps to itself. */
import type { HandlerBase } from "../../../core/contract/index.js";
import type { CtyValue } from "../cty/index.js";
import { type OwnTypes, ownTypes, type Schema, stateOf } from "../schema/index.js";
import type { Prior } from "./change.js";
import { toOutput, unwrapped } from "./values.js";

const KEPT = "terraform";
const LEFT = "terraform:left";

type Data = Pick<HandlerBase, "get" | "set" | "delete" | "fqn">;

export interface Kept {
  readonly version: number;
  readonly private: Uint8Array;
  /** Of what tells its type itself, which an output does not. */
  readonly types: OwnTypes;
}

/** As it is recorded: what is usual is left out. */
interface Recorded {
  readonly version?: number;
  readonly private?: Uint8Array;
  readonly types?: OwnTypes;
}

export async function keptOf(data: Data): Promise<Kept> {
  return complete(await data.get<Recorded>(KEPT));
}

export async function keep(data: Data, schema: Schema, prior: Prior): Promise<void> {
  const recorded = recordedOf(schema, prior);
  if (Object.keys(recorded).length > 0 || (await data.get(KEPT)) !== undefined) await data.set(KEPT, recorded);
}

/** What a change that has failed has left. */
export interface Left extends Kept {
  readonly output: unknown;
}

export async function leftOf(data: Data): Promise<Left | undefined> {
  const recorded = await data.get<Recorded & { readonly output: unknown }>(LEFT);
  return recorded && { ...complete(recorded), output: recorded.output };
}

/** Without `prior` nothing is left any more. */
export async function keepLeft(data: Data, schema: Schema, prior?: Prior): Promise<void> {
  if (prior && prior.value !== null) {
    await data.set(LEFT, { ...recordedOf(schema, prior), output: toOutput(schema.block, prior.value, data.fqn) });
  } else if ((await data.get(LEFT)) !== undefined) await data.delete(LEFT);
}

/** The value that an output stands for, in the schema that it was made by. */
export function recordedValue(schema: Schema, output: unknown, types: OwnTypes): CtyValue {
  return stateOf(schema.block, unwrapped(output), types);
}

function complete({ version = 0, private: bytes = new Uint8Array(), types = {} }: Recorded = {}): Kept {
  return { version, private: bytes, types };
}

function recordedOf({ version, block }: Schema, { private: bytes, value }: Prior): Recorded {
  const types = ownTypes(block, value);
  return {
    ...(version === 0 ? {} : { version }),
    ...(bytes.length === 0 ? {} : { private: bytes }),
    ...(Object.keys(types).length === 0 ? {} : { types }),
  };
}
