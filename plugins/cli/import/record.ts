/**
 * Makes the records: the program runs once in memory, with providers that adopt the recorded values. So the records are
 * those that a run would have made. Then one entry of the journal brings them into the stage.
 */

import { EngineError } from "../../../core/base/index.js";
import { createEngine } from "../../engine/index.js";
import { envOptions } from "../../env-options/index.js";
import {
  type Block,
  Built,
  type Declaration,
  Document,
  type Expression,
  type Item,
  isListExpression,
  isPlainExpression,
  Literal,
  type Program,
  Reference,
  SecretFrom,
  Template,
} from "../../import/program/program.js";
import { Digits, type SettledProvider, withoutVariables } from "../../import/program/settled.js";
import { withoutKeys } from "../../import/without-keys.js";
import { memoryStore } from "../../index.js";
import { secrets } from "../../secrets/index.js";
import { Secret } from "../../secrets/secret.js";
import type { ProviderDefinition } from "../../terraform/generate/index.js";
import { Offering } from "../../terraform/lifecycle/index.js";
import type { ProviderClient } from "../../terraform/protocol/index.js";
import { makeFolder } from "./program-files.js";
import { endedInRun } from "./provider-ended.js";
import { RecordedTypes } from "./recorded-types.js";
import { contentsOf, presentIn, push, refuseOthers, type StageOptions, withStage } from "./stage.js";

export interface Recording {
  readonly program: Program;
  /** Folder of the program, which may also be that of the state. */
  readonly folder: string;
  /** Items that the printed program awaits together. */
  readonly together: ReadonlySet<Item>;
  readonly options: StageOptions;
  /** By id of the configuration. */
  readonly providers: ReadonlyMap<string, RecordedProvider>;
}

export interface RecordedProvider {
  readonly definition: ProviderDefinition;
  /** Adopts the recorded values. */
  readonly client: ProviderClient;
}

export interface Recorded {
  /** True if the stage had exactly these records already: an earlier import was interrupted before its files. */
  readonly wasRecorded: boolean;
  /** FQN of the stage. */
  readonly fqn: string;
}

/**
 * Records the program in its stage, in one entry of the journal.
 *
 * @param isPlan true to change nothing
 * @throws EngineError `IMPORT_REFUSED` if the stage has other resources or another run changes it meanwhile, and
 * everything that a run throws
 */
export async function recordProgram(recording: Recording, isPlan: boolean): Promise<Recorded> {
  const { program, folder, options } = recording;
  return withStage(program.project.app, options, async (admin) => {
    const present = await presentIn(admin);
    const wasRecorded = present !== undefined && present.contents.records.size > 0;
    const text = await recordedText(recording, wasRecorded ? undefined : present?.text);
    if (wasRecorded) refuseOthers(admin, present.contents, contentsOf(text));
    if (!isPlan && !wasRecorded) {
      makeFolder(folder);
      await push(admin, text, present?.text);
    }
    return { wasRecorded, fqn: `${admin.app}/${admin.stage}` };
  });
}

/** Returns the keys of all declarations. */
export function keysIn({ items }: Block, path = ""): readonly string[] {
  return items.flatMap((item) =>
    item.type === "block" ? keysIn(item.block, `${path}${item.block.scopeName}/`) : `${path}${item.declaration.id}`,
  );
}

/** Runs the program in memory, and returns the text of its state. @throws EngineError */
async function recordedText(recording: Recording, before: string | undefined): Promise<string> {
  const { program, options, providers, together } = recording;
  const store = memoryStore();
  const { app } = program.project;
  const { stateStore: _target, ...rest } = options;
  await withStage(app, { ...rest, stateStore: store }, async (admin) => {
    // The load of the stage has accepted it, with or without a seal.
    if (before !== undefined) await admin.push(before, { unverified: true });
  });
  const engine = createEngine({ plugins: [envOptions(), secrets()] });
  const common = { argv: [], telemetry: false, quiet: true } as const;
  const run = engine.up(app, { ...rest, ...common, stateStore: store }, async (root) => {
    const outputs = new Map<string, unknown>();
    const functions = new Map(program.project.providers.map((one) => [one.id, configured(one, providers)]));
    await declareAll(program.root, { functions, outputs, engine, together, types: new RecordedTypes(), path: "" });
    if (program.outputs.length > 0) {
      const all = program.outputs.map(({ name, value, isSensitive }) => {
        const one = valueFor(value, outputs);
        return [name, isSensitive ? Secret.wrap(one, name) : one] as const;
      });
      await root.outputs(Object.fromEntries(all));
    }
  });
  await run.catch((error: unknown) => {
    throw endedInRun(error);
  });
  return withStage(app, { ...rest, stateStore: store }, (admin) => admin.pull());
}

type Declare = (id: string, props: object, options: object) => Promise<unknown>;
type Functions = Readonly<Record<string, unknown>> & { readonly data: Readonly<Record<string, unknown>> };

function configured({ id, isNamed, config, show }: SettledProvider, providers: Recording["providers"]): Functions {
  const of = providers.get(id);
  if (!of) throw new EngineError("PROVIDER_MISSING", `The provider "${id}" is not open.`);
  const offering = new Offering(of.definition, async () => of.client);
  const own = withoutVariables(config, ({ value, variable }) => new Secret(value, variable));
  return offering.configured(own, { show, ...(isNamed && { id }) }) as Functions;
}

interface Declaring {
  readonly engine: ReturnType<typeof createEngine>;
  readonly functions: ReadonlyMap<string, Functions>;
  /** By address. */
  readonly outputs: Map<string, unknown>;
  readonly together: ReadonlySet<Item>;
  readonly types: RecordedTypes;
  /** FQN of the scope below the stage, with a slash at its end; empty for the root. */
  readonly path: string;
}

/** Declares in the order of the printed program, because the engine infers dependencies from the order. */
async function declareAll({ items }: Block, declaring: Declaring): Promise<void> {
  const { engine, path, together } = declaring;
  const begin = (item: Item): Promise<void> => {
    if (item.type !== "block") return declareOne(item.declaration, declaring);
    const { block } = item;
    const inside = { ...declaring, path: `${path}${block.scopeName}/` };
    return engine.run(block.scopeName, () => declareAll(block, inside));
  };
  let begun: { readonly group: string; readonly all: Promise<void>[] } | undefined;
  for (const item of items) {
    const group = groupOf(item);
    const isTogether = together.has(item);
    if (begun && (!isTogether || begun.group !== group)) {
      await Promise.all(begun.all);
      begun = undefined;
    }
    if (!isTogether) await begin(item);
    else if (begun) begun.all.push(begin(item));
    else begun = { group, all: [begin(item)] };
  }
  await Promise.all(begun?.all ?? []);
}

/** Items of one loop are of one resource or module call. */
function groupOf(item: Item): string {
  return item.type === "block" ? `/${item.block.group}` : withoutKeys(item.declaration.resource.address);
}

async function declareOne(
  { resource, id, props }: Declaration,
  { functions, outputs, types, path }: Declaring,
): Promise<void> {
  const { call, importId, options, address, record } = resource;
  const all = Object.fromEntries(Object.entries(props).map(([name, one]) => [name, valueFor(one, outputs)]));
  const isAdopted = importId !== undefined || (call.by === "type" && record === undefined);
  const adoption = isAdopted ? { adopt: true, ...(importId === undefined ? {} : { importId }) } : {};
  const declare =
    call.by === "provider"
      ? memberOf(functions.get(call.provider), call)
      : await types.functionFor(resource, `${path}${id}`);
  outputs.set(address, await (declare as Declare)(id, all, { ...options, ...adoption }));
}

function memberOf(
  of: Functions | undefined,
  { member, isData }: { readonly member: string; readonly isData: boolean },
): unknown {
  return (isData ? of?.data : of)?.[member];
}

function valueFor(one: Expression, outputs: ReadonlyMap<string, unknown>): unknown {
  if (one instanceof Reference) return Reflect.get(Object(outputs.get(one.address)), one.member);
  if (one instanceof SecretFrom) {
    return new Secret(one.value instanceof Digits ? one.value.text : one.value, one.variable);
  }
  if (one instanceof Digits) return one.text;
  if (one instanceof Built) return one.value;
  if (one instanceof Literal) return valueFor(one.value, outputs);
  if (one instanceof Template) return one.parts.map((part) => String(valueFor(part, outputs))).join("");
  if (one instanceof Document) return JSON.stringify(valueFor(one.value, outputs));
  if (isListExpression(one)) return one.map((each) => valueFor(each, outputs));
  if (!isPlainExpression(one)) return one;
  return Object.fromEntries(Object.entries(one).map(([name, each]) => [name, valueFor(each, outputs)]));
}
