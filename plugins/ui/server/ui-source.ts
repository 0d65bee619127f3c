/** What a server shows. */
import type { Redact } from "../../../core/base/index.js";
import type { About } from "../api/index.js";
import type { RunSource, StageName, StageSource } from "../sources/index.js";

export interface UiSource {
  /** In words, without credentials. */
  readonly label: string;
  readonly stages?: StageSource | undefined;
  readonly runs: RunSource;
  /** Where the page is opened for one stage. */
  readonly stage?: StageName | undefined;
  /** The run that the page is opened beside, once there is one. */
  run?(): string | undefined;
  /** Begins to look for drift, and gives the id of that run. Absent: nobody can. */
  look?: ((name: StageName) => Promise<string>) | undefined;
  /** Takes out of messages what must not be seen. */
  readonly redact: Redact;
}

export function aboutOf(source: UiSource, { version, allowsChanges }: Pick<About, "version" | "allowsChanges">): About {
  const { label, stages, stage, look } = source;
  const run = source.run?.();
  return {
    version,
    source: stages ? "store" : "events",
    label,
    ...(stage && { stage }),
    ...(run === undefined ? {} : { run }),
    allowsChanges,
    canLook: look !== undefined,
  };
}
