/** Moves records with their values to another stage of the same store. */
import { checkName, EngineError, isEngineError, messageOf, uuid } from "../../../../core/base/index.js";
import {
  type EngineOptions,
  outputsOwner,
  pluginOwner,
  type ResourceRecord,
  type StateStore,
} from "../../../../core/contract/index.js";
import { detachedAppOf, sessionSettings } from "../../../../core/engine/index.js";
import type { App } from "../../../../core/run/index.js";
import { shellWord } from "../../../internal/text/shell-word.js";
import { inOwnRun, type OwnRun } from "../own-run.js";
import { fqnOf, type Naming } from "../recorded-name.js";
import { eachStage } from "../stages.js";
import { finishMove, inOrder, type MoveEnds } from "./finish.js";
import { dependenciesOf, dependentsIn, type Selection, select } from "./select.js";
import { transfer } from "./transfer.js";

/** Options of {@link StageAdmin.moveTo}: the target, and the records. */
export interface MoveToOptions extends Pick<EngineOptions, "password" | "key"> {
  /** Name of the target stage. Default: that of the admin. */
  readonly stage?: string;
  /** Name of the target app. Default: that of the admin. */
  readonly app?: string;
  /** FQNs or globs of FQNs; everything below is included. */
  readonly names?: readonly string[];
  /** Moves everything, with the data of the stage and its outputs. */
  readonly all?: boolean;
  /** Moves pending resources as well. */
  readonly force?: boolean;
  /** Only returns what would move. Takes no lock and writes nothing. */
  readonly plan?: boolean;
  /** Called before anything is written, without a lock; cancels by throwing. */
  approve?(what: MovedTo): Promise<void> | void;
}

/** Result of a move to another stage, or its planned result. */
export interface MovedTo {
  /** FQNs of the two stages. */
  readonly from: string;
  readonly to: string;
  /** True if nothing was ever recorded of the target: the move creates its state. */
  readonly isNew: boolean;
  readonly resources: readonly MovedRecord[];
  /** FQNs, in the target, of the scopes whose data moves. */
  readonly scopes: readonly string[];
  /** FQNs of resources that stay and that a moved one refers to. */
  readonly dependencies: readonly string[];
  /** FQNs of resources that refer to a moved one, in all stages of the store. */
  readonly dependents: readonly string[];
  /** FQNs of stages that cannot be read: their resources may refer to a moved one, too. */
  readonly unread: readonly string[];
  /** True if the outputs of the source stay: other stages may read values of moved resources from them. */
  readonly hasOutputs: boolean;
  /** True if an earlier call had recorded everything, and this one has only made both stages usable. */
  readonly wasRecorded: boolean;
}

/** A resource that moves. */
export interface MovedRecord {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
}

type End = Pick<EngineOptions, "password" | "key"> & { readonly app: string; readonly stage: string };

interface Move {
  readonly app: App;
  readonly store: StateStore;
  readonly from: End;
  readonly to: End;
  readonly options: MoveToOptions;
}

/**
 * The target gets the records with a mark, then the source loses them and gets its mark. This second entry decides: a
 * move that is interrupted before it is undone, one that is interrupted after it is finished. Then both marks go. No
 * run uses a stage that has a mark.
 *
 * @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT`, `UNRESOLVED`, `DUPLICATE_ID`, `STATE_LOCKED`, `STATE_MOVED`,
 * `STATE_INCOMPLETE`, `PASSWORD_REQUIRED`, `WRONG_PASSWORD`, and all that `approve` throws
 */
export async function moveTo(app: App, store: StateStore, options: MoveToOptions): Promise<MovedTo> {
  const move: Move = { app, store, options, ...endsOf(app, options) };
  const ends = settingsOf(move);
  const finished = options.plan ? undefined : await finishMove(ends);
  if (finished?.is === "moved") {
    const { records } = finished;
    return { ...described(move, { records, data: [], names: [] }), wasRecorded: true };
  }
  const planned = await inBoth(move, "show", async (both) => {
    const selection = selected(move, both);
    const isNew = both.to.ledger.lineage === undefined;
    return { what: described(move, selection, both), records: selection.records, isNew };
  });
  const { what: known, records, isNew } = planned;
  const what = { ...known, isNew, ...(await searched(move, records)) };
  if (options.plan) return what;
  await options.approve?.(what);
  await apply(move, ends, known);
  return what;
}

/** Tries to finish or undo the move at once if it fails in the middle. */
async function apply(move: Move, ends: MoveEnds, planned: MovedTo): Promise<void> {
  const { from, to, options } = move;
  const command = moveCommand(from, to, options);
  try {
    await inBoth(move, "move", async (both) => {
      const selection = selected(move, both);
      if (JSON.stringify(described(move, selection, both)) !== JSON.stringify(planned)) throw changedSince(planned);
      const names = { from: planned.from, to: planned.to };
      await transfer(both, selection, { ...names, command, id: uuid() });
    });
  } catch (error) {
    const settled = await finishMove(ends).catch((cause: unknown) => {
      throw notFinished(error, cause, command);
    });
    if (settled?.is !== "moved") throw error;
  }
}

function endsOf({ root }: App, options: MoveToOptions): Pick<Move, "from" | "to"> {
  const { app = root.appName, stage = root.stage, names = [], all = false, password, key } = options;
  checkName("app name", app);
  checkName("stage", stage);
  const from = { app: root.appName, stage: root.stage };
  const refuse = (message: string): EngineError => new EngineError("INVALID_ARGUMENT", message);
  if (app === from.app && stage === from.stage)
    throw refuse(`"${fqnOf(from, "")}" is the source and the target of the move. Name another stage or app.`);
  if (all && names.length > 0) throw refuse("Pass either names or --all (all: true) to the move, not both.");
  if (!all && names.length === 0)
    throw refuse("The names of the resources to move are missing. To move everything, pass --all (all: true).");
  const opener = password === undefined && key === undefined ? {} : { password, key };
  return { from, to: { app, stage, ...opener } };
}

function settingsOf({ app, store, to }: Move): MoveEnds {
  const { app: name, ...options } = to;
  return { from: sessionSettings(app, store), to: sessionSettings(detachedAppOf(app, name, options), store) };
}

/** The apps of both stages, with their states loaded. */
interface Both {
  readonly from: App;
  readonly to: App;
}

/** Loads both, and locks both to move. A fixed order keeps moves in opposite directions from waiting for each other. */
function inBoth<T>({ app, store, from, to }: Move, command: OwnRun["command"], work: (both: Both) => Promise<T>) {
  const open = <R>(as: End, then: (own: App) => Promise<R>): Promise<R> =>
    inOwnRun(app, store, { command, as }, async (own) => {
      if (command === "move") await own.ledger.acquire();
      return then(own);
    });
  const [first] = inOrder(from, to, "from", "to");
  return first === "from"
    ? open(from, (one) => open(to, (other) => work({ from: one, to: other })))
    : open(to, (other) => open(from, (one) => work({ from: one, to: other })));
}

function selected({ from, to, options, app, store }: Move, both: Both): Selection {
  const plugin = sessionSettings(app, store).seal?.recorded.plugin;
  const naming = (end: End, { ledger }: App): Naming => ({ app: end.app, stage: end.stage, contents: ledger.contents });
  const keys = plugin === undefined ? undefined : pluginOwner(plugin);
  return select(naming(from, both.from), naming(to, both.to), options, keys);
}

/**
 * Describes the parts that must not change until both stages are locked.
 *
 * @param both undefined after a move that an earlier call recorded
 */
function described({ from, to, options }: Move, { records, data }: Selection, both?: Both): MovedTo {
  const scopes = data.flatMap(([owner]) => (owner.startsWith("/") ? fqnOf(to, owner.slice(1)) : []));
  const contents = both?.from.ledger.contents;
  return {
    from: fqnOf(from, ""),
    to: fqnOf(to, ""),
    isNew: false,
    resources: records.map(({ key, kind }) => ({ from: fqnOf(from, key), to: fqnOf(to, key), kind })),
    scopes: [...new Set(scopes)],
    dependencies: contents ? dependenciesOf({ ...from, contents }, records) : [],
    dependents: [],
    unread: [],
    hasOutputs: !options.all && contents?.data.has(outputsOwner) === true,
    wasRecorded: false,
  };
}

/** Searches all stages of the store, also those that an earlier move has separated from their dependencies. */
async function searched({ app, store }: Move, records: readonly ResourceRecord[]) {
  const dependents: string[] = [];
  const { keep } = sessionSettings(app, store);
  const unread = await eachStage({ store, keep }, (at, contents) => {
    dependents.push(...dependentsIn(at, contents, records));
  });
  return { dependents: dependents.sort(), unread };
}

function changedSince({ from, to }: MovedTo): EngineError {
  return new EngineError(
    "STATE_MOVED",
    `Another run changed "${from}" or "${to}" since this move was planned. Nothing was moved. Run the command again.`,
  );
}

function notFinished(error: unknown, cause: unknown, command: string): EngineError {
  return new EngineError(
    isEngineError(error) ? error.code : "STORE_FAILED",
    `${messageOf(error)} The move may have begun, and could not be undone or finished: ${messageOf(cause)}. Run it again: ${command}`,
    { cause: error },
  );
}

/** Returns the command that does a move again, or finishes it. */
function moveCommand(from: End, to: End, { names = [], all, force }: MoveToOptions): string {
  const words = [
    ...names,
    ...(all ? ["--all"] : []),
    ...(force ? ["--force"] : []),
    ...["--app", from.app, "--stage", from.stage],
    ...(to.app === from.app ? [] : ["--to-app", to.app]),
    ...["--to-stage", to.stage],
  ];
  return ["engine state move", ...words.map(shellWord)].join(" ");
}
