/** What a program has declared, until the run has ended. */

import type { CallSite } from "../base/index.js";
import type { PendingResource, ResourceOptions } from "../contract/index.js";
import type { Placement } from "../order/index.js";
import type { Admission } from "./admission.js";

/** One call of a resource type in the program, from the call until it has settled. */
export class Declared {
  readonly site: CallSite;
  /** Path of the scope that it was declared in. */
  readonly path: string;
  /** Key of the resource in whose handler it was declared; of an old copy its uid. */
  readonly home: string | undefined;
  readonly options: ResourceOptions;
  /** Set before anything is awaited. */
  pending: PendingResource<unknown> | undefined = undefined;
  /** Called at the moment when the declaration resolves to the program, to note that in the order. */
  settle: ((placement: Placement) => unknown) | undefined = undefined;
  /** What it refers to, as far as its props are known; set where that is anything, until it has settled. */
  references: { uids(): readonly string[] } | undefined = undefined;
  /** It has failed, or was left out before it was there; a destroy makes nothing. */
  isUndone = false;
  /** True from when its props are known and compared with the record. */
  isDecided = false;
  /** Set from when it is known that something is to be done about it. */
  admission: Admission | undefined = undefined;

  constructor(site: CallSite, path: string, home: string | undefined, options: ResourceOptions) {
    this.site = site;
    this.path = path;
    this.home = home;
    this.options = options;
  }
}
