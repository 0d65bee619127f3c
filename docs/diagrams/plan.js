/** How a plan is made, and how a run is held to it. */
import { arrow, box, frame, text } from "./kit/draw.js";

export const picture = {
  title: "A plan, and the run that does exactly that",
  description:
    "The program and the recorded state go into a simulated run: the same lifecycle on a ledger that writes nothing; of the handlers only read is called. It gives the plan: what would be created, updated, replaced and deleted. Saved and approved, the plan guards the real run, which does what the plan holds, and stops before the first thing that it does not hold.",
  size: [720, 420],
  parts: [
    box([24, 40, 170, 52], "the program", { tone: "strong", lines: ["as it is"] }),
    box([24, 122, 170, 52], "the recorded state", { lines: ["no lock is taken"] }),
    arrow([
      [194, 66],
      [256, 66],
      [256, 96],
      [284, 96],
    ]),
    arrow([
      [194, 148],
      [256, 148],
      [256, 118],
      [284, 118],
    ]),
    box([286, 68, 190, 78], "the same lifecycle", {
      lines: ["on a ledger that writes", "nothing; only read is called"],
      tone: "tint",
    }),
    arrow([
      [476, 107],
      [522, 107],
    ]),
    frame([524, 24, 172, 166], "plan"),
    text([542, 74], "+ create   3", { mono: true }),
    text([542, 102], "~ update   1", { mono: true }),
    text([542, 130], "± replace  1", { mono: true }),
    text([542, 158], "- delete   2", { mono: true }),
    arrow(
      [
        [610, 190],
        [610, 256],
      ],
      { label: "saved, read, approved", at: [598, 228], align: "end" },
    ),
    box([524, 258, 172, 52], "plan.json", { mono: true, lines: ["made from entry 41"] }),
    arrow([
      [524, 284],
      [478, 284],
    ]),
    box([286, 250, 190, 68], "the real run", {
      lines: ["each step is compared", "with the plan first"],
      tone: "strong",
    }),
    arrow(
      [
        [286, 270],
        [244, 270],
        [244, 256],
        [196, 256],
      ],
      { tone: "accent" },
    ),
    box([24, 230, 170, 52], "does what it holds", { tone: "tint" }),
    arrow(
      [
        [286, 300],
        [244, 300],
        [244, 340],
        [196, 340],
      ],
      { tone: "bad" },
    ),
    box([24, 314, 170, 56], "stops before it", { lines: ["at what it does not hold"], tone: "refused" }),
  ],
};
