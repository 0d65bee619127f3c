import type { StateStore } from "../../../core/contract/index.js";
import type { StoreCall } from "../../helpers/stores/store-around.js";

/** What a death in the midst of a call may leave behind, by name; each is done at once. */
export type Halves = (call: StoreCall) => Readonly<Record<string, () => void>>;

/** Where the state of runs is that are killed: a kind of store, each time in a folder of its own. */
export interface Places {
  /** Name of the module beside this one that exports it as `places`: a killed process opens its store by it. */
  readonly name: string;
  open(folder: string): StateStore;
  halves(folder: string): Halves;
  /** The same state in another folder, too. */
  copy(from: string, to: string): Promise<void>;
}
