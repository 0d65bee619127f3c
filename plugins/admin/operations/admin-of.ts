/** Implements {@link StageAdmin} for an app that is not open, with its plugins and its store. */
import { EngineError, timeOfDay } from "../../../core/base/index.js";
import type { StateStore, StateStoreOption } from "../../../core/contract/index.js";
import { asEngineError, chooseStore, sessionSettings } from "../../../core/engine/index.js";
import type { App } from "../../../core/run/index.js";
import {
  aroundStore,
  type LedgerLocation,
  load,
  locationOf,
  lookedAt,
  type OneShotSettings,
} from "../../../core/state/index.js";
import { type MoveToOptions, moveTo } from "./between/move-to.js";
import { detailOf, masked, revealed } from "./detail.js";
import { graphOf } from "./graph.js";
import { historyOf } from "./history.js";
import { listed, treeOf } from "./listed.js";
import { type Migration, migrateTo } from "./migration/migrate.js";
import { type MoveOptions, move } from "./move.js";
import type { RotationOptions, RunWith } from "./own-run.js";
import { inOwnRun, recoverNow, runWith, type SealingOptions, sealNow } from "./own-run.js";
import { type ForgetOptions, forget } from "./records/forget.js";
import { type KeepOptions, keep } from "./records/keep.js";
import { type PurgeOptions, purge } from "./records/purge.js";
import { pull, push, type Restoring, restore } from "./restore.js";
import type { PushTextOptions, ShowOptions, StageAdmin } from "./stage-admin.js";
import { checkExists, type ListStagesOptions, stagesIn } from "./stages.js";
import { holderOf, type UnlockOptions, unlock } from "./unlock.js";
import { sealStatusOf, weaker } from "./verify/prove-copy.js";
import { type InspectContents, verify } from "./verify/verify.js";
import { type DifferenceOptions, differenceBetween } from "./view/difference.js";
import { copyAt } from "./view/kept-copy.js";
import { lastChangesOf } from "./view/last-changes.js";
import { markOf, viewOf } from "./view/stage-view.js";
import { valuesOf } from "./view/values.js";

export interface AdminParts {
  /** Returns the contents of a decoded value, with secrets in the clear. */
  reveal(value: unknown): unknown;
  /** Returns further findings for a verify. */
  inspect?: InspectContents;
  rotate(run: RunWith, options: RotationOptions): Promise<boolean>;
  rekey(run: RunWith, options: RotationOptions): Promise<number>;
  /** True if the app was made for the admin alone and ends with it. */
  readonly isOwn?: boolean;
}

/** The first operation chooses the store. */
export function adminOf(app: App, parts: AdminParts): StageAdmin {
  return new AppAdmin(app, parts);
}

type Chosen = Awaited<ReturnType<typeof chooseStore>>;

class AppAdmin implements StageAdmin {
  readonly app: string;
  readonly stage: string;
  readonly #app: App;
  readonly #parts: AdminParts;
  #chosen: Promise<Chosen> | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(app: App, parts: AdminParts) {
    this.app = app.root.appName;
    this.stage = app.root.stage;
    this.#app = app;
    this.#parts = parts;
  }

  checkExists() {
    return this.#look((location) => checkExists(location));
  }

  list(globs: readonly string[] = []) {
    return this.#with(async (settings) => {
      const { head, naming } = await this.#load(settings);
      const resources = listed(naming, globs);
      return { seq: head.seq, holder: await holderOf(locationOf(settings), head, settings.here), resources };
    });
  }

  show(name: string, { secrets = false }: ShowOptions = {}) {
    return this.#with(async (settings) => {
      const { naming } = await this.#load(settings);
      if (!secrets) return detailOf(naming, name, masked(this.#app.redact));
      const reveal = (value: unknown): unknown => this.#parts.reveal(value);
      const shown = (own: App) => detailOf(naming, name, revealed(own, reveal));
      return inOwnRun(this.#app, settings.store, { command: "show" }, shown);
    });
  }

  tree() {
    return this.#with(async (settings) => treeOf((await this.#load(settings)).naming));
  }

  graph() {
    return this.#with(async (settings) => {
      const { contents } = (await this.#load(settings)).naming;
      return graphOf(this.app, this.stage, contents.records.values());
    });
  }

  history() {
    return this.#look(historyOf);
  }

  mark() {
    return this.#look(markOf);
  }

  view(seq?: number) {
    return this.#look(async (location) => {
      const { app, stage } = this;
      const { redact } = this.#app;
      const present = await load(location);
      if (seq !== undefined && seq !== present.head.seq) {
        const copy = await copyAt(location, present, seq);
        return viewOf({ app, stage, seq, ...copy, redact, holder: async () => undefined });
      }
      const { head, contents, closed } = present;
      const holder = () => this.#with((now) => holderOf(locationOf(now), head, now.here));
      return viewOf({ app, stage, seq: head.seq, contents, closed, seal: sealStatusOf(present), redact, holder });
    });
  }

  values(name: string) {
    const { redact } = this.#app;
    return this.#look(async (location) => valuesOf(location, await load(location), { name, redact }));
  }

  lastChanges() {
    return this.#look(async (location) => lastChangesOf(location, await load(location)));
  }

  difference(from: number, to: number, options: DifferenceOptions = {}) {
    return this.#look(async (location) => {
      const present = await load(location);
      const [before, after] = [await copyAt(location, present, from), await copyAt(location, present, to)];
      const shown = { ...options, redact: this.#app.redact };
      const found = differenceBetween(this, [before.contents, after.contents], shown);
      return { from, to, seal: weaker(before.seal, after.seal), ...found };
    });
  }

  verify() {
    const { rootDir } = this.#app.options;
    return this.#look((location) => verify({ ...location, rootDir, inspect: this.#parts.inspect }));
  }

  holder() {
    return this.#with(async (settings) => {
      const { head } = await this.#load(settings);
      return holderOf(locationOf(settings), head, settings.here);
    });
  }

  stages(options: ListStagesOptions = {}) {
    const { redact } = this.#app;
    return this.#with(({ store, keep, here }) => stagesIn({ store, keep, here, redact }, options));
  }

  unlock(options: UnlockOptions = {}) {
    return this.#with((settings) => unlock(settings, options));
  }

  move(from: string, to: string, options: Omit<MoveOptions, "from" | "to"> = {}) {
    return this.#with(({ store }) => move(this.#app, store, { ...options, from, to }));
  }

  moveTo(options: MoveToOptions) {
    return this.#with(({ store }) => moveTo(this.#app, store, options));
  }

  forget(patterns: readonly string[], options: Omit<ForgetOptions, "patterns"> = {}) {
    return this.#with((settings) => forget(settings, { ...options, patterns }));
  }

  keep(name: string, options: Omit<KeepOptions, "name"> = {}) {
    return this.#with((settings) => keep(settings, { ...options, name }));
  }

  pull() {
    return this.#with(pull);
  }

  push(text: string, options: PushTextOptions = {}) {
    return this.#with((settings) => push(settings, { source: "the text", ...options, text }));
  }

  restore(seq: number, options: Restoring = {}) {
    return this.#with((settings) => restore(settings, seq, options));
  }

  purge(options: PurgeOptions = {}) {
    return this.#with((settings) => purge(settings, options));
  }

  seal(options: SealingOptions = {}) {
    return this.#with(({ store }) => sealNow(this.#app, store, options));
  }

  rotate(options: RotationOptions) {
    return this.#rotating("secrets rotate", (run) => this.#parts.rotate(run, options));
  }

  rekey(options: RotationOptions = {}) {
    return this.#rotating("secrets rotate --rekey", (run) => this.#parts.rekey(run, options));
  }

  migrate(to: StateStoreOption, options: Omit<Migration, "to"> = {}) {
    return this.#with(({ store }) => migrateTo(this.#app, store, to, options));
  }

  recover() {
    return this.#with(({ store }) => recoverNow(this.#app, store));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    // If the store could not be made, there is nothing to close.
    const chosen = await this.#chosen?.catch(() => undefined);
    try {
      if (chosen?.isOwn) await chosen.store.close?.();
    } finally {
      if (this.#parts.isOwn) await this.#app.release();
    }
  }

  /** @param work gets new session settings each time, because an admin may live long */
  async #with<T>(work: (settings: OneShotSettings) => Promise<T>): Promise<T> {
    try {
      if (this.#isClosed) throw closed(this);
      const { signal } = this.#app.options;
      if (signal?.aborted)
        throw new EngineError("ABORTED", "Nothing was done, because the signal passed to stageAdmin() is aborted.", {
          cause: signal.reason,
        });
      return await work(this.#settings((await this.#store()).store));
    } catch (error) {
      throw this.#app.safe(error);
    }
  }

  /** Checks first that the stage exists: a mistyped name would look like a stage without secrets. */
  async #rotating<T>(command: Parameters<typeof runWith>[2], work: (run: RunWith) => Promise<T>): Promise<T> {
    await this.checkExists();
    return this.#with(({ store }) => work((plugin) => runWith(this.#app, store, command, plugin)));
  }

  /** Like {@link #with}, for operations that change nothing. */
  #look<T>(work: (location: LedgerLocation) => Promise<T>): Promise<T> {
    return this.#with((settings) => work(lookedAt(settings)));
  }

  /** Tries again after a failure. */
  #store(): Promise<Chosen> {
    this.#chosen ??= chosenFor(this.#app).catch((error: unknown) => {
      this.#chosen = undefined;
      throw error;
    });
    return this.#chosen;
  }

  #settings(store: StateStore): OneShotSettings {
    const settings = sessionSettings(this.#app, store);
    return { ...settings, owner: { ...settings.owner, since: timeOfDay() } };
  }

  /** Loads the present state. */
  async #load(settings: OneShotSettings) {
    const { head, contents } = await load(lookedAt(settings));
    return { head, naming: { app: this.app, stage: this.stage, contents } };
  }
}

/** Turns the store's own errors into `STORE_FAILED`. */
async function chosenFor(app: App): Promise<Chosen> {
  const { store, isOwn } = await chooseStore(app);
  const failed = (error: unknown): never => {
    throw asEngineError(error, "read or written");
  };
  return { store: aroundStore(store, (_, make) => make().catch(failed)), isOwn };
}

function closed({ app, stage }: StageAdmin): EngineError {
  return new EngineError("INVALID_CALL", `The admin of "${app}/${stage}" is closed. Create another admin.`);
}
