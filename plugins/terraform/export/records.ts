/** Reads the resources of providers from the state of a stage. */
import { EngineError, isEngineError } from "../../../core/base/index.js";
import {
  type Encoded,
  folderOf,
  fqnIn,
  isPending,
  outputsOwner,
  type ResourceRecord,
} from "../../../core/contract/index.js";
import type { App } from "../../../core/run/index.js";
import { scopeAt } from "../../../core/scope/index.js";
import { retainedNames } from "../../../core/state/index.js";
import { PROVIDER_KIND } from "../lifecycle/provider-config.js";
import { isOfProvider } from "../provider-kinds.js";
import { DATA_KIND } from "../terraform-data.js";
import { firstOf } from "./names.js";

/** A record whose values are decoded. */
export interface Decoded {
  readonly record: ResourceRecord;
  readonly fqn: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly output: unknown;
  /** Decodes the data that its handler has recorded. */
  data<T>(key: string): Promise<T | undefined>;
}

/** Everything that can or cannot be exported. */
export interface Records {
  /** Configurations of providers. */
  readonly providers: readonly Decoded[];
  readonly resources: readonly Decoded[];
  /** Resources of types that no provider of Terraform has. */
  readonly others: readonly { readonly fqn: string; readonly kind: string }[];
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/** @throws EngineError `UNRESOLVED` for unfinished actions; `PASSWORD_REQUIRED`, `WRONG_PASSWORD` */
export async function recordsOf(app: App): Promise<Records> {
  const { contents } = app.ledger;
  const all = [...contents.records.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
  refuseUnfinished(app, all);
  const decoded = async (one: (record: ResourceRecord) => boolean): Promise<readonly Decoded[]> =>
    Promise.all(all.filter(one).map((record) => decodedOf(app, record)));
  const isManaged = ({ kind }: ResourceRecord): boolean => isOfProvider(kind) || kind === DATA_KIND;
  const others = all.filter((record) => record.kind !== PROVIDER_KIND && !isManaged(record));
  const retained = retainedNames(contents).map(({ key, name }) => `"${fqnIn(app.root, key)}" (named "${name}")`);
  const kept = all.filter(({ retain }) => retain).map(({ key }) => `"${fqnIn(app.root, key)}"`);
  return {
    providers: await decoded(({ kind }) => kind === PROVIDER_KIND),
    resources: await decoded(isManaged),
    others: others.map(({ key, kind }) => ({ fqn: fqnIn(app.root, key), kind })),
    notes: [
      ...(contents.data.get(outputsOwner)?.has("outputs")
        ? ["The outputs of the app are not exported. Write an output block for each one that you need."]
        : []),
      ...(retained.length > 0
        ? [`Retained resources are not exported, because no record describes them: ${firstOf(retained)}.`]
        : []),
      ...(kept.length > 0
        ? [
            `Terraform deletes a resource that leaves the configuration, unless you write a "removed" block. The program keeps these, with retainOnDelete: ${firstOf(kept)}.`,
          ]
        : []),
    ],
  };
}

/** Terraform has no equal of an action under way, so the engine must finish it. */
function refuseUnfinished({ root }: App, all: readonly ResourceRecord[]): void {
  const named = (one: ResourceRecord): string => `"${fqnIn(root, one.key)}"`;
  const pending = all.filter((one) => isPending(one)).map((one) => `${named(one)} (${one.status})`);
  const waiting = all.filter((one) => !isPending(one) && (one.replaced || one.dropped));
  const old = waiting.map((one) => `${named(one)} (an old copy that is not deleted yet)`);
  if (pending.length + old.length === 0) return;
  throw new EngineError(
    "UNRESOLVED",
    `Nothing was exported, because actions are unfinished: ${firstOf([...pending, ...old])}. Run "engine up", then export again.`,
  );
}

async function decodedOf(app: App, record: ResourceRecord): Promise<Decoded> {
  const { key, uid, props, output } = record;
  const at = { scope: scopeAt(app, folderOf(key)), fqn: fqnIn(app.root, key), owner: uid };
  const decode = async (value: Encoded | undefined, slot: "props" | "output"): Promise<unknown> =>
    value === undefined ? undefined : app.codec.decode(value, { ...at, slot });
  return {
    record,
    fqn: at.fqn,
    props: Object(await decode(props, "props")),
    output: await decode(output, "output"),
    async data<T>(name: string) {
      const value = app.ledger.contents.data.get(uid)?.get(name);
      const decoded = value && (await app.codec.decode(value, { ...at, slot: "data", key: name }));
      return decoded as T | undefined;
    },
  };
}

/** Runs work on the values of a record, which may be damaged. @throws EngineError `STATE_CORRUPT` with its name */
export async function reading<T>(fqn: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isEngineError(error) ? error : damaged(fqn, error);
  }
}

function damaged(fqn: string, cause: unknown): EngineError {
  const message = `Nothing was exported, because the record of "${fqn}" is damaged. Restore an earlier copy of the state, which "engine state history" lists, then export again.`;
  return new EngineError("STATE_CORRUPT", message, { fqn, cause });
}

/** Decodes a value that a handler has recorded for the whole stage. */
export async function rootData<T>(app: App, key: string): Promise<T | undefined> {
  const value = app.ledger.contents.data.get("/")?.get(key);
  const at = { scope: app.root, fqn: app.root.chain.join("/"), owner: "/", slot: "data", key } as const;
  const decoded = value && (await app.codec.decode(value, at));
  return decoded as T | undefined;
}
