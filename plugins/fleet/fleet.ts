/** Makes fleets from their definitions. */
import { checkGiven, checkName } from "../../core/base/index.js";
import { BRAND, type Branded, refuseWhileLoading } from "./brand.js";
import { parseWaves } from "./conductor/waves.js";
import type { FleetOptions, FleetReport, FleetRunOptions, FleetWorker, FleetWorkOptions } from "./contract.js";
import { withDefaults } from "./defaults.js";
import { definitionRules } from "./rules.js";
import { begin, goOn, type Parts, request, resume, status, work } from "./runs.js";

/** A fleet: one program over many stages. Each method resolves with a report; its `state` says how the run ended. */
export interface Fleet {
  readonly name: string;
  /**
   * Applies the program to all stages. Continues the last run if that was an `up` of the same version that has not
   * ended. If the definition has changed, the warning `CONTINUED` names what changed; other waves begin again from the
   * first one.
   *
   * @throws EngineError `STATE_LOCKED` if another process conducts the fleet; `INVALID_OPTION`, `INVALID_NAME` for a
   * list that cannot be run, before the first stage begins; `STORE_FAILED`, `FENCED`
   */
  up(options?: FleetRunOptions): Promise<FleetReport>;
  /** Plans all stages, and changes nothing. @throws EngineError as {@link up} does */
  plan(options?: FleetRunOptions): Promise<FleetReport>;
  /** Compares the recorded resources of all stages with the real ones. @throws EngineError as {@link up} does */
  drift(options?: FleetRunOptions): Promise<FleetReport>;
  /** Deletes the resources of all stages, listed or recorded. @throws EngineError as {@link up} does */
  destroy(options?: FleetRunOptions): Promise<FleetReport>;
  /**
   * Continues the last run: begins a wave that waits, or the stages that have not ended. If another process conducts
   * it, that process continues, and the report is the one so far. Warns of a changed definition as {@link up} does.
   *
   * @throws EngineError `NOT_RECORDED` if there is nothing to continue
   */
  resume(options?: FleetRunOptions): Promise<FleetReport>;
  /** Continues the last run, and begins failed stages again. @throws EngineError as {@link resume} does */
  retry(options?: FleetRunOptions): Promise<FleetReport>;
  /** Lets running stages end, and begins no more. @throws EngineError `NOT_RECORDED` if no run is in progress */
  pause(options?: FleetRunOptions): Promise<FleetReport>;
  /** Ends the run, and interrupts running stages. @throws EngineError `NOT_RECORDED` if no run is in progress */
  cancel(options?: FleetRunOptions): Promise<FleetReport>;
  /** Returns the report of the last `up` or `destroy` so far; undefined if there was none. Takes no lock. */
  status(options?: FleetRunOptions): Promise<FleetReport | undefined>;
  /**
   * Starts a worker, which runs the stages that conductors of the same version put into the queue.
   *
   * @throws EngineError `INVALID_OPTION`, `PACKAGE_MISSING`, `QUEUE_FAILED` if the queue cannot be used
   */
  work(options: FleetWorkOptions): Promise<FleetWorker>;
}

/** Implements `fleet()`. @throws EngineError `INVALID_NAME`, `INVALID_OPTION` */
export function makeFleet(name: string, definition: FleetOptions<unknown>): Fleet {
  checkName("app name", name);
  checkGiven("fleet", definition, definitionRules);
  const waves = parseWaves(definition.waves ?? ["100%"]);
  const parts: Parts = { name, definition, waves };
  const given = ({ defaults }: Pick<FleetRunOptions, "defaults">, method: string): Parts => {
    refuseWhileLoading(`${name}.${method}()`);
    return { ...parts, definition: withDefaults(definition, defaults) };
  };
  const made: Fleet & Branded = {
    [BRAND]: definition.options ?? {},
    name,
    up: async (options = {}) => begin(given(options, "up"), "up", options),
    plan: async (options = {}) => begin(given(options, "plan"), "plan", options),
    drift: async (options = {}) => begin(given(options, "drift"), "drift", options),
    destroy: async (options = {}) => begin(given(options, "destroy"), "destroy", options),
    resume: async (options = {}) => resume(given(options, "resume"), options),
    retry: async (options = {}) => goOn(given(options, "retry"), options, { retries: true }),
    pause: async (options = {}) => request(given(options, "pause"), "pause", options),
    cancel: async (options = {}) => request(given(options, "cancel"), "cancel", options),
    status: async (options = {}) => status(given(options, "status"), options),
    work: async (options) => work(given(options, "work"), options),
  };
  return made;
}
