import { afterAll, beforeAll, expect, it } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless, given } from "../../servers/given.ts";
import { CASES, type Shells, shells } from "./shells.ts";

const lacksShells = await given("shells");

let among: Shells;
beforeAll(async () => {
  among = await shells();
});
afterAll(() => among.remove());

function inBash(...words: readonly string[]): readonly string[] {
  const line = ["engine", ...words].map((word) => `'${word}'`).join(" ");
  const script = `${among.completionFor("bash")}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _engine_completion; echo "\${COMPREPLY[@]}"`;
  return among.run("bash", "--norc", "-c", script).trim().split(" ");
}

describeUnless(lacksPackage ?? lacksShells, "completion", () => {
  it.each(CASES)("in bash of %j offers %j", (words, offered) => {
    expect(inBash(...words)).toEqual(expect.arrayContaining([...offered]));
  });

  it("names each command once with its aliases, and no other", () => {
    const words = inBash("");
    expect(words).toEqual(
      expect.arrayContaining(["init", "up", "deploy", "plan", "destroy", "state", "watch", "dev", "--help"]),
    );
    expect(new Set(words).size).toBe(words.length);
  });
});
