/** The program that gives another one a pseudo-terminal. Those of other systems take other arguments. */
import { spawnSync } from "node:child_process";

const isThere = spawnSync("script", ["--version"]).stdout?.toString().includes("util-linux") === true;

/** Undefined where it is there. */
export const lacksScript = isThere ? undefined : "the program script of util-linux";
