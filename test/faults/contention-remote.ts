/** The stores that machines share, as workers open them. */
import type { StateStore } from "../../core/contract/index.js";
import { remoteStore } from "../helpers/stores/remote-stores.js";
import { prefixOf } from "./places/remote.js";

/** The module in which a worker finds `STORES`. */
export const module: string = import.meta.url;

/** By the name that a worker gets; each opens the store at a location. */
export const STORES = {
  s3: (location: string): StateStore => remoteStore("s3", `contended/${prefixOf(location)}`),
  redis: (location: string): StateStore => remoteStore("redis", `contended/${prefixOf(location)}`),
  postgres: (location: string): StateStore => remoteStore("postgres", `contended/${prefixOf(location)}`),
};
