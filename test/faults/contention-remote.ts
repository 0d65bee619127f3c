/** How workers open the stores that machines share. */
import type { StateStore } from "../../core/contract/index.js";
import { remoteStore } from "../helpers/stores/remote-stores.js";
import { prefixOf } from "./places/remote.js";

/** Where a worker finds `STORES`. */
export const module: string = import.meta.url;

/** By the name that a worker is told; each opens the store at a location. */
export const STORES = {
  s3: (location: string): StateStore => remoteStore("s3", `contended/${prefixOf(location)}`),
  redis: (location: string): StateStore => remoteStore("redis", `contended/${prefixOf(location)}`),
};
