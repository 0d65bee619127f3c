/** Compares the real resources with their records. Changes nothing. */

import { changedPaths, type ReadResult, readAll } from "../../core/apply/index.js";
import type { ResourceRef } from "../../core/base/index.js";
import {
  type Definition,
  fqnIn,
  type PlanError,
  type PlanNote,
  type PropertyChange,
} from "../../core/contract/index.js";
import { findDefinition } from "../../core/destroy/index.js";
import { decodeOutput, encodeOutput, type ValueHolder } from "../../core/handler/index.js";
import { type App, emitDrift } from "../../core/run/index.js";
import { changesBetween } from "../internal/render/changes.js";
import { planError } from "./record-only.js";

/** Differences between the real resources and their records. */
export interface Drift {
  readonly app: string;
  readonly stage: string;
  readonly resources: readonly DriftedResource[];
  /** Resources that were read and are as recorded. */
  readonly same: number;
  /** Resources that cannot be read. */
  readonly unread: readonly PlanNote[];
  /** Reads that failed. */
  readonly errors: readonly PlanError[];
}

/** A resource that differs from its record, or is gone. */
export interface DriftedResource extends ResourceRef {
  /** True if it is recorded, but does not exist. */
  readonly gone: boolean;
  /** Output members that differ: `old` is recorded, `new` is real. */
  readonly changes: readonly PropertyChange[];
}

export async function findDrift(app: App): Promise<Drift> {
  const resources: DriftedResource[] = [];
  const unread: PlanNote[] = [];
  const errors: PlanError[] = [];
  let same = 0;
  const compare = async (seen: ReadResult): Promise<void> => {
    const { ref, why } = seen;
    if (why !== undefined) unread.push({ ...ref, reason: why });
    else {
      try {
        const drifted = await compared(app, seen);
        if (!drifted) same++;
        else {
          resources.push(drifted);
          emitDrift(app, ref, drifted.gone ? undefined : drifted.changes.map(({ path }) => path));
        }
      } catch (error) {
        errors.push(planError(app.safe(error)));
      }
    }
  };
  const types = await typesOf(app);
  await Promise.all(readAll(app, (kind) => types.get(kind)).map(compare));
  const byName = (a: ResourceRef, b: ResourceRef): number => (a.fqn < b.fqn ? -1 : 1);
  return { app: app.root.appName, stage: app.root.stage, resources: resources.sort(byName), same, unread, errors };
}

/** Returns the types of all records, including types that only a plugin knows, as for a destroy. */
async function typesOf(app: App): Promise<ReadonlyMap<string, Definition>> {
  const types = new Map<string, Definition>();
  const kinds = new Map([...app.ledger.contents.records.values()].map(({ kind, key }) => [kind, key]));
  for (const [kind, key] of kinds) {
    const type = await findDefinition(app, kind, fqnIn(app.root, key));
    if (type) types.set(kind, type);
  }
  return types;
}

async function compared(app: App, { record, ref, scope, output }: ReadResult): Promise<DriftedResource | undefined> {
  const found = await output;
  const recorded = record.output ?? null;
  const holder: ValueHolder = { app, scope, ref };
  if (found === undefined) return { ...ref, gone: true, changes: [] };
  const paths = changedPaths(recorded, await encodeOutput(holder, record.uid, found, recorded));
  if (paths.length === 0) return undefined;
  const before = await decodeOutput(holder, record);
  return { ...ref, gone: false, changes: changesBetween(paths, before, found, app) };
}
