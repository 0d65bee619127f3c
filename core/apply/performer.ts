import { ignore, raise, unknownValue } from "../base/index.js";
import { validate } from "../contract/index.js";
import { deleteRecord } from "../destroy/index.js";
import type { Performer } from "../run/index.js";
import { finishCreate } from "./create.js";
import { execute } from "./execute.js";

/** Does what is decided. */
export const performer: Performer = {
  acts: true,
  execute,
  finishCreate,
  delete: deleteRecord,
  firstOf: () => undefined,
  rename: ignore,
  keep: ignore,
  refuse: raise,
  deletable: (records) => records,
  validate,
  // Not even looked at: everything is known.
  isKnown: () => true,
  unknown: unknownValue,
  changing: () => [],
  isExcused: () => false,
};
