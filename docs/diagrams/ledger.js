/** Intent, act, result; a kill between them; who takes over, and what becomes of a run that wakes up too late. */
import { arrow, box, cross, frame, text } from "./kit/draw.js";

const A = 96;
const WORLD = 640;
const row = (index) => 92 + index * 54;
const entry = (index, title, line, tone) => box([258, row(index) - 21, 216, 42], title, { lines: [line], tone });
const says = (index, label) =>
  arrow(
    [
      [A + 12, row(index)],
      [256, row(index)],
    ],
    { label },
  );
const acts = (index, label) =>
  arrow(
    [
      [A + 12, row(index)],
      [WORLD - 62, row(index)],
    ],
    { label, at: [A + 82, row(index) - 8], tone: "accent", align: "start" },
  );
const lane = (x, from, to, dashed) =>
  arrow(
    [
      [x, row(from) - 24],
      [x, row(to)],
    ],
    { head: false, tone: "faint", dashed },
  );

export const picture = {
  title: "The ledger: intent, act, result, and a take-over",
  description:
    "A run writes the intent to create web into the journal as entry 42, then calls the handler, which creates web, then writes the result. It writes the intent for mail and is killed while it acts. The next run finds the intent without a result, takes over with entry 44, looks for mail by its token, and writes the result. When the first run wakes up and puts entry 44, the number is taken: it is fenced.",
  size: [720, 610],
  parts: [
    text([A, 34], "first run", { weight: "bold", align: "middle" }),
    text([366, 34], "journal of the stage", { weight: "bold", align: "middle" }),
    text([WORLD, 34], "the world", { weight: "bold", align: "middle" }),
    lane(A, 0, 4),

    says(0, "intent"),
    entry(0, "42  create web", "token 7f3a…", "tint"),
    acts(1, "act"),
    box([WORLD - 60, row(1) - 18, 120, 36], "web", { tone: "strong" }),
    says(2, "result"),
    entry(2, "42  web is there", "its output", "plain"),
    says(3, "intent"),
    entry(3, "43  create mail", "token 9c01…", "tint"),
    acts(4, "act"),
    box([WORLD - 60, row(4) - 18, 120, 36], "mail", { tone: "strong" }),
    cross([A, row(4) + 4]),
    text([A, row(4) + 32], "killed, or asleep", { tone: "bad-text", align: "middle", size: 12.5 }),
    frame([20, row(5) + 6, 680, 136], "the next run"),
    arrow(
      [
        [A + 12, row(6) - 4],
        [256, row(6) - 4],
      ],
      { label: "take over" },
    ),
    box([258, row(6) - 25, 216, 42], "44  mine now", { lines: ["the lease was not raised"], tone: "tint" }),
    arrow(
      [
        [474, row(6) + 8],
        [WORLD - 62, row(6) + 8],
      ],
      { tone: "accent", label: "read", at: [536, row(6)] },
    ),
    box([WORLD - 60, row(6) - 10, 106, 36], "mail", { tone: "strong" }),
    arrow(
      [
        [A + 12, row(7) - 2],
        [256, row(7) - 2],
      ],
      { label: "result" },
    ),
    box([258, row(7) - 23, 216, 42], "44  mail is there", { lines: ["not made a second time"] }),

    arrow(
      [
        [A + 44, row(8) + 32],
        [256, row(8) + 32],
      ],
      { tone: "bad", label: "puts 44" },
    ),
    text([A, row(8) + 36], "it wakes up", { align: "middle", weight: "bold", size: 13 }),
    box([258, row(8) + 10, 216, 44], "44 is taken", { lines: ["fenced: it writes nothing more"], tone: "refused" }),
    text([490, row(8) + 28], ["an entry's number", "can be taken once"], { tone: "soft", size: 12.5 }),
  ],
};
