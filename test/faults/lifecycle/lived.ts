import { expect } from "vitest";
import { fc } from "../../helpers/generated.ts";
import { lives } from "./commands.ts";
import { type Breakage, Life } from "./life.ts";

/** What is wrong after a life of so many commands. */
export function lived(rootDir: () => string, breakage: () => Breakage) {
  return fc.asyncProperty(lives, async (commands) => {
    const life = new Life(rootDir(), breakage());
    for (const command of commands) await life.does(command);
    expect(await life.ends()).toEqual([]);
  });
}
