/** Lists changes that a run would only record, by comparing the state before and after a plan. Pure. */
import { EngineError, isSameList, messageOf, type ResourceRef } from "../../core/base/index.js";
import { sameEncoded } from "../../core/codec/index.js";
import {
  type Encoded,
  fqnIn,
  idOf,
  isScopeOwner,
  outputsOwner,
  type PlanError,
  type PlanNote,
  type ResourceRecord,
  type Scope,
} from "../../core/contract/index.js";
import type { Contents } from "../../core/state/index.js";

/** @param isListed true for the FQN of a resource that the plan lists anyway */
export function recordOnly(
  root: Scope,
  loaded: Contents,
  now: Contents,
  isListed: (fqn: string) => boolean,
): readonly PlanNote[] {
  const notes: PlanNote[] = [];
  for (const before of loaded.records.values()) {
    const after = now.records.get(before.uid);
    if (before === after) continue;
    const { kind, key } = after ?? before;
    const fqn = fqnIn(root, key);
    if (isListed(fqn)) continue;
    const reasons = after ? differences(before, after) : ["removed from the state"];
    if (reasons.length > 0) notes.push({ kind, id: idOf(key), fqn, reason: reasons.join("; ") });
  }
  return [...notes, ...dataNotes(root, loaded, now)];
}

function differences(before: ResourceRecord, after: ResourceRecord): readonly string[] {
  return [
    ...(before.protect === after.protect ? [] : [`protect: ${after.protect === true}`]),
    ...(before.retain === after.retain ? [] : [`retainOnDelete: ${after.retain === true}`]),
    ...(isSameList(before.refs ?? [], after.refs ?? []) ? [] : ["it refers to other resources"]),
    ...(before.parent === after.parent ? [] : ["it is a child of another resource"]),
    ...(before.dropped === after.dropped ? [] : ["it is declared again"]),
    ...(before.deleteFailed === after.deleteFailed ? [] : ["it is declared again after a failed delete"]),
    ...(before.status === after.status ? [] : [`its status becomes ${after.status}`]),
    ...(isSame(before.props, after.props) ? [] : ["its props changed, but the resource stays unchanged"]),
    ...(isSame(before.output, after.output) ? [] : ["its output changed"]),
  ];
}

/** Notes changed outputs of the stage and changed data of scopes. Data of resources belongs to their own notes. */
function dataNotes(root: Scope, loaded: Contents, now: Contents): readonly PlanNote[] {
  return [...new Set([...loaded.data.keys(), ...now.data.keys()])].flatMap((owner): readonly PlanNote[] => {
    const isOffer = owner === outputsOwner;
    if (!isOffer && !isScopeOwner(owner)) return [];
    const [before, after] = [loaded, now].map(({ data }) => data.get(owner) ?? NO_VALUES) as [Values, Values];
    const keys = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => !isSame(before.get(key), after.get(key)),
    );
    if (keys.length === 0) return [];
    const path = isOffer ? "" : owner.slice(1);
    const fqn = path === "" ? root.chain.join("/") : fqnIn(root, path);
    const reason = isOffer ? "outputs changed" : `data changed: ${keys.map((key) => JSON.stringify(key)).join(", ")}`;
    return [{ kind: "scope", id: fqn.slice(fqn.lastIndexOf("/") + 1), fqn, reason }];
  });
}

type Values = ReadonlyMap<string, Encoded>;

const NO_VALUES: Values = new Map();

function isSame(before: Encoded | undefined, after: Encoded | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return before === after || sameEncoded(before, after);
}

/** @param before the recorded FQN */
export function renamedNote({ kind, id, fqn }: ResourceRef, before: string): PlanNote {
  return { kind, id, fqn, reason: `was "${before}"` };
}

/** Returns an error as data. */
export function planError(error: unknown): PlanError {
  if (!(error instanceof EngineError)) return { code: "RUN_FAILED", message: messageOf(error) };
  const { code, message, fqn } = error;
  return fqn === undefined ? { code, message } : { code, message, fqn };
}
