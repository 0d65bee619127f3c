/** The program that gives another one a pseudo-terminal. On other systems it takes other arguments. */
import { spawnSync } from "node:child_process";

const isThere = spawnSync("script", ["--version"]).stdout?.toString().includes("util-linux") === true;

/** Undefined if it is installed. */
export const lacksScript = isThere ? undefined : "the program script of util-linux";
