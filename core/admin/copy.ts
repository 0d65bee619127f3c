/** The present state as a text to keep, and back from one. */
import { EngineError, isEngineError } from "../base/index.js";
import {
  type Checkpoint,
  type Head,
  load,
  lookedAt,
  type OneShotSettings,
  readCheckpoint,
  writeCheckpoint,
} from "../state/index.js";
import { becomeCopy, type Restored, type Restoring } from "./restore.js";

/** @throws EngineError `NOT_RECORDED` where nothing was ever written, and everything that a load throws */
export async function pull(settings: OneShotSettings): Promise<string> {
  const { head, contents, seal } = await load(lookedAt(settings));
  const about = { version: settings.version, seal, purpose: "copy" } as const;
  if (head.lineage !== undefined) return writeCheckpoint(head, contents, about);
  throw new EngineError(
    "NOT_RECORDED",
    `There is no state of "${settings.app}/${settings.stage}": there is nothing to pull.`,
  );
}

export interface PushOptions extends Restoring {
  /** Where the text is from, for messages. */
  readonly source: string;
  readonly text: string;
  /** Also a copy that is older than what is recorded. */
  readonly force?: boolean;
}

/**
 * Makes the state what a text says that was pulled: as one entry, like a restore. Where nothing was ever recorded, e.g. in another
 * store, it goes on under the same identity, so that secrets can be read there.
 *
 * @throws EngineError `STATE_CORRUPT` where the text is not as it was pulled, `STATE_FORMAT`, `STATE_IDENTITY` where it is of another
 * state, `STATE_MOVED` where the state has changed since it was pulled, and everything that a restore throws
 */
export async function push(
  settings: OneShotSettings,
  { source, text, force = false, approve, unverified }: PushOptions,
): Promise<Restored> {
  const checkpoint = parse(source, text);
  const { lineage } = checkpoint.head;
  return becomeCopy(settings, { command: "push", lineage, approve, unverified }, ({ head }) => {
    checkIdentity(settings, source, checkpoint.head, head);
    if (!force) checkPosition(settings, source, checkpoint.head, head);
    // What is kept for people in the store can be pushed as well.
    return { source, checkpoint, purposes: ["copy", "checkpoint"] };
  });
}

function parse(source: string, text: string): Checkpoint {
  try {
    return readCheckpoint(source, text);
  } catch (error) {
    throw isEngineError(error, "STATE_FORMAT") ? error : altered(source, error);
  }
}

function altered(source: string, cause: unknown): EngineError {
  return new EngineError(
    "STATE_CORRUPT",
    `"${source}" is not as "engine state pull" wrote it: its digest does not fit. Nothing was changed. Pull it again, or go back to a copy in the store by "engine state restore".`,
    { cause },
  );
}

function checkIdentity(at: OneShotSettings, source: string, copy: Head, present: Head): void {
  const isSame = copy.app === at.app && copy.stage === at.stage;
  if (isSame && (present.lineage === undefined || present.lineage === copy.lineage)) return;
  const why = isSame ? "of the same name, but another one" : `of "${copy.app}/${copy.stage}"`;
  throw new EngineError(
    "STATE_IDENTITY",
    `"${source}" is a copy of a state ${why}: it was not pulled from "${at.app}/${at.stage}" as it is in this store. Nothing was changed.`,
  );
}

/** What was pulled from another store may be numbered higher than what is here. */
function checkPosition(at: OneShotSettings, source: string, copy: Head, present: Head): void {
  const { seq, lines, digest } = present;
  if (copy.seq > seq || (copy.seq === seq && copy.lines > lines)) return;
  if (copy.seq === seq && copy.digest === digest) return;
  throw new EngineError(
    "STATE_MOVED",
    `"${source}" is as of entry ${copy.seq} of the state, and "${at.app}/${at.stage}" is at entry ${seq} by now: what was recorded since would be lost. Nothing was changed. Pull it again, or force it (--force).`,
  );
}
