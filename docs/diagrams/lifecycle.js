/** What becomes of a declaration, and of what is not declared any more. */
import { arrow, box, frame, text } from "./kit/draw.js";

const way = (y, label, action, lines, tone) => [
  arrow(
    [
      [300, 196],
      [330, 196],
      [330, y],
      [478, y],
    ],
    { label, at: [338, y - 8], align: "start" },
  ),
  box([480, y - 25, 210, 50], action, { lines: [lines], tone }),
];

export const picture = {
  title: "The life of a resource in a run",
  description:
    "A declaration is compared with what is recorded. Not recorded: create. The same: skip, no handler, nothing written. Other props: update. Another kind, or a prop that cannot change: replace, the old copy goes at finalize. Recorded but not declared any more: finalize deletes it. Each change is an intent, a call of the handler, and a result.",
  size: [720, 440],
  parts: [
    box([24, 66, 220, 52], 'await Queue("orders")', { mono: true, tone: "strong" }),
    arrow([
      [134, 118],
      [134, 168],
    ]),
    box([24, 170, 276, 52], "compare with what is recorded", { lines: ["by value, after the props are known"] }),
    way(52, "not recorded", "create", "or adopt what is there", "tint"),
    way(122, "the same", "skip", "no handler, nothing written", "plain"),
    way(192, "other props", "update", "in place", "tint"),
    way(262, "made anew", "replace", "the old copy goes at the end", "tint"),
    arrow(
      [
        [134, 222],
        [134, 372],
      ],
      { dashed: true, label: ["the program", "goes on"], at: [146, 292], align: "start" },
    ),
    box([24, 374, 220, 52], "await app.finalize()", { mono: true, tone: "strong" }),
    arrow(
      [
        [244, 400],
        [478, 400],
      ],
      { label: "recorded, not declared any more", at: [252, 390], align: "start" },
    ),
    box([480, 375, 210, 50], "delete", { lines: ["what needs it goes first"], tone: "refused" }),
    frame([466, 10, 240, 300], ""),
    text([586, 334], "each change: intent, act, result", { align: "middle", tone: "soft", size: 12.5 }),
  ],
};
