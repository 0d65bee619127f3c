import { expect, it } from "vitest";
import { lacksScript } from "../helpers/script.ts";
import { read } from "../house/project.ts";
import { describePacked } from "../package/given-packed.ts";
import { describeUnless } from "../servers/given.ts";
import { makeRecording } from "./make.ts";
import { descriptionIn, descriptionOf, isPassing, kindOfPassing, masked, rowsIn, rowsOf } from "./words.ts";

const linesOf = (text: string): readonly string[] => masked(text).split("\n").sort();

describePacked("docs/terminal.svg", ({ packages }) =>
  describeUnless(lacksScript, "made anew", () => {
    it("shows what the programs print today; else `npm run recording` makes it anew", async () => {
      const picture = read("docs/terminal.svg");
      const recording = await makeRecording(packages);
      expect(linesOf(descriptionIn(picture))).toEqual(linesOf(descriptionOf(recording)));
      const today = new Set([...rowsOf(recording)].filter(isPassing).map(kindOfPassing));
      const passing = [...rowsIn(picture)].filter(isPassing);
      expect(passing.filter((row) => !today.has(kindOfPassing(row)))).toEqual([]);
    });
  }),
);
