/** Two programs: one offers a pair of numbers, the other refers to it. */
import { type Ended, runProgram } from "../helpers/processes/child-program.ts";
import { cwd } from "./own-folder.ts";

export const offer = (...args: string[]): Promise<Ended> => runProgram("references", { cwd, args: ["offer", ...args] });
export const read = (count: string, env = {}): Promise<Ended> =>
  runProgram("references", { cwd, args: ["read", count], env });
