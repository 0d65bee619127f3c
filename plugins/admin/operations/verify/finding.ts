/** A problem in the state of a stage. */
export interface Finding {
  /** Key in the store, path of a file beside the project, or name of a resource. */
  readonly key: string;
  /**
   * "damaged": contents are not as they were written. "exposed": a record is as it was written, but holds a secret in
   * the clear. "harmless": delays no run and loses nothing.
   */
  readonly level: "damaged" | "exposed" | "harmless";
  /** Description of the problem. */
  readonly problem: string;
  readonly advice: string;
}

const BACKUP = "Restore the file or object from a backup, or from an older version that the store keeps.";

export function damaged(key: string, problem: string, advice = BACKUP): Finding {
  return { key, level: "damaged", problem, advice };
}

export function harmless(key: string, problem: string, advice: string): Finding {
  return { key, level: "harmless", problem, advice };
}
