/** Finishes a move between two stages that was interrupted: both are marked, or only the target is. */
import { NOTHING_DONE } from "../../../../core/base/index.js";
import type { ResourceRecord } from "../../../../core/contract/index.js";
import {
  acquireSession,
  type Change,
  type Contents,
  keptNames,
  type Loaded,
  load,
  loadAsIs,
  locationOf,
  type MoveMark,
  moveMarkIn,
  type OneShotSettings,
  proven,
  releaseName,
  retiredIn,
  type Session,
  toolSession,
  UNMARK_MOVE,
} from "../../../../core/state/index.js";

/** The settings of the two stages. */
export interface MoveEnds {
  readonly from: OneShotSettings;
  readonly to: OneShotSettings;
}

/** Outcome of an interrupted move, with the records that have arrived; none if the target was complete before. */
export interface Finished {
  readonly is: "moved" | "undone";
  readonly records: readonly ResourceRecord[];
}

/**
 * The removal from the source decides: with it, the target keeps the records; without it, they are removed from the
 * target. Both stages get a session first, so that the interrupted command can write nothing more. Returns undefined if
 * no move between the two is under way.
 *
 * @throws EngineError `STATE_LOCKED` if the command that moves still runs; `STATE_INCOMPLETE` for another move
 */
export async function finishMove(ends: MoveEnds): Promise<Finished | undefined> {
  const marks = await marksOf(ends);
  if (!marks) return undefined;
  const isRetired = marks.source.isRetired;
  let source: Locked | undefined;
  let target: Locked | undefined;
  const lockSource = async (): Promise<void> => {
    if (!isRetired) source = await lock(ends.from);
  };
  const lockTarget = async (): Promise<void> => {
    target = await lock(ends.to);
  };
  try {
    for (const next of inOrder(ends.from, ends.to, lockSource, lockTarget)) await next();
    const left = source ? moveMarkIn(source.contents) : marks.source.mark;
    const arrived = target && moveMarkIn(target.contents);
    const isMoved = left !== undefined && left.part === "source" && left.other === nameOf(ends.to);
    if (target && arrived) {
      const changes = isMoved && left.id === arrived.id ? afterMove(target.contents, arrived) : undoing(arrived);
      await target.close(changes);
    } else await target?.close([]);
    await source?.close(isMoved ? [UNMARK_MOVE] : []);
    const records = (arrived?.uids ?? []).flatMap((uid) => target?.contents.records.get(uid) ?? []);
    return isMoved ? { is: "moved", records } : { is: "undone", records: [] };
  } finally {
    await source?.release();
    await target?.release();
  }
}

interface Marks {
  readonly source: { readonly mark: MoveMark | undefined; readonly isRetired: boolean };
}

/** Reads without a lock. Returns undefined if no mark is of a move between the two stages. */
async function marksOf({ from, to }: MoveEnds): Promise<Marks | undefined> {
  const [source, target] = [await read(from), await read(to)];
  const [left, arrived] = [source && moveMarkIn(source.contents), target && moveMarkIn(target.contents)];
  const isOwn =
    (left?.part === "source" && left.other === nameOf(to)) ||
    (arrived?.part === "target" && arrived.other === nameOf(from));
  return isOwn ? { source: { mark: left, isRetired: source !== undefined && !!retiredIn(source.head) } } : undefined;
}

async function read(settings: OneShotSettings): Promise<Loaded | undefined> {
  const location = locationOf(settings);
  const loaded = await loadAsIs(location);
  return loaded.isPartial || loaded.head.lineage === undefined ? undefined : proven(location, loaded);
}

/** Changes of the target once the source has let go: names of resources that come back are free again. */
export function afterMove(contents: Contents, { uids }: Pick<MoveMark, "uids">): readonly Change[] {
  const arrived = new Set(uids);
  const names = keptNames(contents).filter(({ moved }) => moved && arrived.has(moved.uid));
  return [UNMARK_MOVE, ...names.map(({ name }) => releaseName(name))];
}

function undoing({ uids, data }: MoveMark): readonly Change[] {
  return [
    ...uids.map((uid): Change => ({ op: "drop", uid })),
    ...data.map(([owner, key]): Change => ({ op: "data", owner, key })),
    UNMARK_MOVE,
  ];
}

function nameOf({ app, stage }: Pick<OneShotSettings, "app" | "stage">): string {
  return `${app}/${stage}`;
}

interface Locked {
  readonly contents: Contents;
  close(changes: readonly Change[]): Promise<void>;
  /** Does nothing after {@link Locked.close}. */
  release(): Promise<void>;
}

async function lock(settings: OneShotSettings): Promise<Locked> {
  const location = { ...locationOf(settings), finishesMove: true as const };
  const dead = new Set<string>();
  const loaded = await acquireSession(location, await load(location), dead);
  const session: Session = toolSession(location, loaded, { command: "move" }, dead);
  let isOpen = true;
  const release = async (): Promise<void> => {
    if (isOpen) await session.abandon();
    isOpen = false;
  };
  try {
    await session.write([]);
  } catch (error) {
    await release();
    throw error;
  }
  return {
    contents: loaded.contents,
    release,
    async close(changes) {
      await session.write(changes, { outcome: "done", summary: NOTHING_DONE });
      isOpen = false;
    },
  };
}

type Named = Pick<OneShotSettings, "app" | "stage">;

/** Orders what concerns two stages: the same order for moves in both directions, so that none waits for another. */
export function inOrder<T>(one: Named, other: Named, first: T, second: T): readonly [T, T] {
  const isFirst = one.app === other.app ? one.stage < other.stage : one.app < other.app;
  return isFirst ? [first, second] : [second, first];
}
