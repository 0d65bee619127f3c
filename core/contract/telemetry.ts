/** Where figures about runs go: what a sink is given, and what is asked of it. */

/** Plain and flat, so that any service can take it. */
export type TelemetryValue = string | number | boolean | readonly string[] | Readonly<Record<string, number>>;

/** One thing that is told of a run. It holds no name, id, property, path or message of anybody. */
export interface TelemetryEvent {
  readonly name: "run started" | "run finished";
  /** Random. An event that arrives twice has the same one both times. */
  readonly uuid: string;
  /** As ISO 8601. */
  readonly timestamp: string;
  /** Random, and the same for all runs of one user of one machine. */
  readonly userId: string;
  readonly properties: Readonly<Record<string, TelemetryValue>>;
}

/** What takes telemetry, such as `posthogSink` of `scope-engine/adapters/posthog`. Nothing that it does can fail a run. */
export interface TelemetrySink {
  /** Of the service and the project. What one sink could not send waits for a sink of the same name. */
  readonly name: string;
  /**
   * Called while the run is under way: loads what `send` needs.
   *
   * @param signal aborted when the run waits no longer: nothing may keep the process alive from then on
   */
  prepare?(signal: AbortSignal): Promise<void> | void;
  /**
   * Resolves when the events are taken, or refused for good; where it rejects they are sent again by a later run.
   *
   * @param signal as that of `prepare`
   */
  send(events: readonly TelemetryEvent[], signal: AbortSignal): Promise<void>;
}
