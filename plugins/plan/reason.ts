/** Explains in words why an action is needed. Pure. */
import { replaceOnOf, replacingPath } from "../../core/apply/index.js";
import { hasMarker, stepsOf } from "../../core/base/index.js";
import { holdsUnknown } from "../../core/codec/index.js";
import { isAdoption, isPending, type PlannedAction, type ResourceRecord } from "../../core/contract/index.js";
import {
  canLook,
  handlersOf,
  isElsewhere,
  isSimulated,
  pendingReason,
  wantsAdoption,
  whyNotDeleted,
} from "../../core/handler/index.js";
import type { Operation } from "../../core/run/index.js";

/** Maximum number of paths in a reason. */
const MOST = 3;

/** An action as the plan lists it. */
interface Planned {
  readonly action: PlannedAction["action"];
  /** JSON Pointers of the props that force a replacement according to the type. */
  readonly forcedBy: readonly string[];
}

/** @param before the record so far */
export function reasonOf(operation: Operation<"begun">, planned: Planned, before: ResourceRecord | undefined): string {
  const { found, changes, options, scope } = operation;
  const { action } = planned;
  if (action === "adopt") return "exists, but is not recorded";
  if (!before || isAdoption(before))
    return mayBeAdopted(operation) ? "not recorded; adopted if it exists" : "not recorded";
  if (action === "replace") return replaceReason(operation, planned, before);
  if (action === "create" && !isPending(before)) return "gone: recorded, but read found nothing";
  const reasons: string[] = [];
  if (isPending(before)) reasons.push(pendingReason(before));
  if (before.deleteFailed) reasons.push(whyNotDeleted(before.deleteFailed));
  if (changes.length > 0) reasons.push(changed(changes));
  if (reasons.length > 0) return reasons.join("; ");
  if (found) return "drift: it differs from its record";
  if (options.alwaysUpdate) return "alwaysUpdate";
  return scope.force ? "forced" : "to be brought up to date";
}

/**
 * True if adoption is requested but nothing was read: the handler adopts by itself, or the read waits for unknown
 * props.
 */
function mayBeAdopted(operation: Operation<"begun">): boolean {
  return wantsAdoption(operation) && (!canLook(operation) || holdsUnknown(operation.encoded));
}

function replaceReason(operation: Operation<"begun">, { forcedBy }: Planned, before: ResourceRecord): string {
  const { changes, ref, definition, scope, found } = operation;
  if (before.kind !== ref.kind) return `kind changed from "${before.kind}" to "${ref.kind}"`;
  const isLocal = isSimulated(definition, scope);
  if (isElsewhere(before, isLocal))
    return isLocal
      ? "it was deployed for real, but this run simulates it locally"
      : "it was simulated locally, but this run deploys it for real";
  const path = replacingPath({ changes, replaceOn: replaceOnOf(operation) });
  if (path !== undefined) return `${readable(path)} changed, which forces a replacement`;
  if (forcedBy.length > 0) return `${changed(forcedBy)}, which forces a replacement`;
  if (!handlersOf(definition, scope).update) {
    const why = changes.length === 0 && found ? "drift: it differs from its record" : changed(changes);
    return `${why}, and its type cannot update`;
  }
  return `${changed(changes)}, and its update asks for a replacement`;
}

function changed(paths: readonly string[]): string {
  const changes = paths.filter((path) => !hasMarker(path));
  if (changes.length === 0) return "nothing changed";
  const more = changes.length - MOST;
  return `${changes.slice(0, MOST).map(readable).join(", ")}${more > 0 ? ` and ${more} more` : ""} changed`;
}

function readable(pointer: string): string {
  // Types of Terraform providers keep it there.
  if (pointer === "/$version") return "version of the provider";
  return ["props", ...stepsOf(pointer)].join(".");
}
