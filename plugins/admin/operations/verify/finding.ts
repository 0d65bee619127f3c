/** Something that is not as it should be in the state of a stage. */
export interface Finding {
  /** Key in the store, path of a file beside the project, or name of a resource. */
  readonly key: string;
  /**
   * "harmless" delays no run and loses nothing. "exposed": the record is as it was written, with a secret in the clear.
   */
  readonly level: "damaged" | "exposed" | "harmless";
  /** What is wrong. */
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
