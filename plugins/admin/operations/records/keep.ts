/** Confirms that a resource still exists after a delete whose outcome is unknown. */
import { EngineError } from "../../../../core/base/index.js";
import { forgetCommand, isAdoption, type ResourceRecord } from "../../../../core/contract/index.js";
import { descendantsOf } from "../../../../core/order/index.js";
import {
  type Change,
  Contents,
  type OneShotSettings,
  oneShotSession,
  restored,
  retainName,
} from "../../../../core/state/index.js";
import { type ListedResource, rowOf } from "../listed.js";
import { fqnOf, knownKey, type Naming, notRecorded } from "../recorded-name.js";

/** Result of a keep, or its planned result. */
export interface Kept {
  /** The record after the command; a kept old copy is no longer recorded. */
  readonly resource: ListedResource;
  /** The uid of the old copy that is kept. */
  readonly copy?: string;
  /** Children of the old copy, kept with it. */
  readonly children: readonly ListedResource[];
}

/** Options of {@link StageAdmin.keep}. */
export interface KeepOptions {
  /** An FQN, a path below the stage, or an id that only one resource has. */
  readonly name: string;
  /** The uid of an old copy, or its first characters. Default: the live resource. */
  readonly copy?: string;
  /** Called before anything is written; cancels by throwing. */
  approve?(what: Kept): Promise<void> | void;
}

interface Keeping {
  readonly what: Kept;
  readonly changes: readonly Change[];
}

/**
 * @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT` if there is nothing to decide, all that `approve` throws, and
 * everything that {@link oneShotSession} throws
 */
export async function keep(settings: OneShotSettings, options: KeepOptions): Promise<Kept> {
  let what: Kept | undefined;
  await oneShotSession(settings, {
    command: "keep",
    async changes({ contents }) {
      const naming = { app: settings.app, stage: settings.stage, contents };
      const keeping = select(naming, options, settings.owner.since);
      what = keeping.what;
      await options.approve?.(what);
      return keeping.changes;
    },
  });
  if (what === undefined) throw new EngineError("INVALID_CALL", "The state was not loaded.");
  return what;
}

/** @param since start of the command, as ISO 8601 */
function select(naming: Naming, { name, copy }: KeepOptions, since: string): Keeping {
  const key = knownKey(naming, name);
  if (key === undefined) throw notRecorded(naming, name);
  const { contents } = naming;
  if (copy !== undefined) return keepCopy(naming, key, copy, since);
  const live = contents.at(key);
  if (live) return keepLive(naming, live);
  const fqn = fqnOf(naming, key);
  throw invalid(
    `Only old copies of "${fqn}" are recorded. Pass the uid of one: engine state keep ${fqn} --copy <uid>. "engine state show ${fqn}" prints the uids.`,
  );
}

function keepLive(naming: Naming, record: ResourceRecord): Keeping {
  const fqn = fqnOf(naming, record.key);
  if (record.status === "creating") {
    throw invalid(
      `"${fqn}" has no output yet, so it cannot be kept: its create did not finish. Declare it again, so that the next run can finish it. If the real resource does not exist, run ${forgetCommand(fqn, record)}.`,
    );
  }
  if (isAdoption(record)) {
    throw invalid(
      `The adoption of "${fqn}" did not finish, so there is nothing to keep. Declare it with { adopt: true }, or run ${forgetCommand(fqn, record)}.`,
    );
  }
  if (record.status === "ready" && !record.deleteFailed)
    throw invalid(`There is nothing to decide: "${fqn}" is not pending, and its last delete did not fail.`);
  const change = settled(record);
  const after = new Contents();
  after.put(record);
  after.apply(change);
  return {
    what: { resource: rowOf(naming, after.records.get(record.uid) ?? record), children: [] },
    changes: [change],
  };
}

/** Ends a pending delete. Resets a pending update to the last success. */
function settled(record: ResourceRecord): Change {
  const { uid, status, props, lastGood } = record;
  if (status === "deleting") return restored(record);
  if (status === "ready") return { op: "patch", uid, unset: ["deleteFailed"] };
  const set = { status: "ready", attempt: 0, props: lastGood?.props ?? props } as const;
  return { op: "patch", uid, set, unset: ["lastGood", "error", "since", "deleteFailed"] };
}

/** Removes the copy from the state but keeps its name taken. The real resource stays, and no run deletes it. */
function keepCopy(naming: Naming, key: string, uid: string, since: string): Keeping {
  const { contents } = naming;
  const copies = contents.copiesOf(key).filter(({ replaced }) => replaced);
  const [copy, ...others] = copies.filter((one) => uid !== "" && one.uid.startsWith(uid));
  if (copy === undefined || others.length > 0) {
    const list = copies.map((one) => one.uid).join(", ");
    const which = copy === undefined ? "is not the uid of an old copy" : "matches several old copies";
    const known = list === "" ? "The resource has no old copies." : `Uids of its old copies: ${list}.`;
    throw invalid(`"${uid}" ${which} of "${fqnOf(naming, key)}". ${known}`);
  }
  const children = descendantsOf(contents, [copy.uid]);
  const live = contents.at(key);
  const unlinked: Change[] = live?.replaces === copy.uid ? [{ op: "patch", uid: live.uid, unset: ["replaces"] }] : [];
  const dropped = [copy, ...children].flatMap((one): Change[] => [
    { op: "drop", uid: one.uid },
    retainName(one, since),
  ]);
  const what = { resource: rowOf(naming, copy), copy: copy.uid, children: children.map((one) => rowOf(naming, one)) };
  return { what, changes: [...dropped, ...unlinked] };
}

function invalid(message: string): EngineError {
  return new EngineError("INVALID_ARGUMENT", message);
}
