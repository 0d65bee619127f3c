import type { Defect } from "./defect.ts";

const area = "placement";

export const placement: readonly Defect[] = [
  {
    name: "what is skipped does not raise the front",
    area,
    file: "core/order/placement.ts",
    find: "    this.#settle(uid);\n    if (record.done) this.#front = later(this.#front, record.done);\n",
    replace: "    this.#settle(uid);\n",
  },
  {
    name: "what has resolved does not raise the front",
    area,
    file: "core/order/placement.ts",
    find: "    this.#front = later(this.#front, end);\n",
    replace: "",
  },
  {
    name: "what is moved is not written",
    area,
    file: "core/apply/queue.ts",
    find: '  if (positioned.moves.length > 0) app.ledger.piggyback({ op: "place", at: positioned.moves });\n',
    replace: "",
  },
];
