import type { StateStore } from "../../../core/contract/index.js";
import type { StoreCall } from "../../helpers/stores/store-around.js";

/** Partial effects that a death in the middle of a call may leave, by name; each is done at once. */
export type Halves = (call: StoreCall) => Readonly<Record<string, () => void>>;

/** Places for the state of killed runs: a kind of store, each time in a folder of its own. */
export interface Places {
  /** Name of the module beside this one that exports it as `places`: a killed process uses it to open its store. */
  readonly name: string;
  open(folder: string): StateStore;
  halves(folder: string): Halves;
  /** The same state in another folder, too. */
  copy(from: string, to: string): Promise<void>;
}
