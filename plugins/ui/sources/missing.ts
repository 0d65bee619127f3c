/** The failure for a name that does not exist. */
import { allNear, EngineError } from "../../../core/base/index.js";

const MOST = 8;
/** Comparing more names would keep the server from other requests. */
const MOST_COMPARED = 20_000;

/** Says that something does not exist, and names others of its kind. */
export class Missing extends EngineError {
  /** The names nearest to the given one first. */
  readonly near: readonly string[];

  /** @param others names of the same kind, in the order in which those are listed that are not near */
  constructor(message: string, name: string, others: readonly string[]) {
    super("NOT_RECORDED", message);
    const compared = others.slice(0, MOST_COMPARED);
    this.near = [...new Set([...allNear(name, compared), ...compared.slice(0, MOST)])].slice(0, MOST);
  }
}
