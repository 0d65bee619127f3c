/** Something that is not as it should be in the state of a stage. */
export interface Finding {
  /** Key in the store, or path of a file beside the project. */
  readonly key: string;
  /** "harmless": no run is held up by it, and nothing is lost. */
  readonly level: "damaged" | "harmless";
  /** What is wrong. */
  readonly problem: string;
  readonly advice: string;
}

const BACKUP = "Restore the file or object from a backup, or from the versions that the store keeps.";

export function damaged(key: string, problem: string, advice = BACKUP): Finding {
  return { key, level: "damaged", problem, advice };
}

export function harmless(key: string, problem: string, advice: string): Finding {
  return { key, level: "harmless", problem, advice };
}
