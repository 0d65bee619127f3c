/** An app, its stages, scopes in scopes, and where the state of each is. */
import { box, frame, text } from "./kit/draw.js";

const stage = (x, name, journal, queue) => [
  frame([x, 60, 320, 330], name, { tone: "tint" }),
  box([x + 20, 100, 130, 40], "bucket", { tone: "strong" }),
  frame([x + 20, 156, 280, 150], "scope orders"),
  box([x + 36, 214, 116, 40], "inbox", { tone: "strong" }),
  frame([x + 166, 178, 120, 92], "scope eu"),
  box([x + 179, 214, 94, 40], "table", { tone: "strong" }),
  text([x + 34, 294], queue, { mono: true, tone: "soft", size: 12.5 }),
  box([x + 20, 326, 280, 44], journal, { lines: ["journal, checkpoint, lease"], mono: true }),
];

export const picture = {
  title: "Scopes and stages",
  description:
    "The app shop has two stages, dev and prod. Each holds a bucket, a scope orders with an inbox, and in it a scope eu with a table. Each stage has a state of its own, with a journal, a checkpoint and a lease.",
  size: [720, 440],
  parts: [
    frame([14, 12, 692, 414], "app shop"),
    stage(28, "stage dev", "shop/dev", "shop/dev/orders"),
    stage(372, "stage prod", "shop/prod", "shop/prod/orders"),
    text([360, 412], "the same program; a stage never sees the other's state", {
      align: "middle",
      tone: "soft",
      size: 12.5,
    }),
  ],
};
