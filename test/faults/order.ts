/** Instructions for a process that runs a program to one of its points. */
import type { DefectName } from "./defects.js";
import type { WorldOptions } from "./file-world.js";
import type { Doom } from "./points.js";
import type { SETTINGS } from "./run.js";

export interface Order extends Pick<WorldOptions, "failing" | "slow"> {
  readonly program: string;
  readonly settings?: keyof typeof SETTINGS;
  /** True: the stage has a key. */
  readonly isSealed?: boolean;
  readonly doom?: Doom;
  /** The defect of its store. */
  readonly defect?: DefectName;
}
