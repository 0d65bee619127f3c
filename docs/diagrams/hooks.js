/** A plugin's way through the hooks, in the order in which a run reaches them. */
import { arrow, box, frame, text } from "./kit/draw.js";

const hook = (x, y, name, line, tone) => box([x, y, 204, 46], name, { mono: true, lines: line ? [line] : [], tone });
const down = (x, from, to) =>
  arrow([
    [x, from],
    [x, to],
  ]);

export const picture = {
  title: "A plugin's way through the hooks",
  description:
    "A plugin is applied when engine() is called. The run reaches options, stateStore and stateLoaded when it opens; for each resource props, beforeApply, handler and afterApply or applyFailed; at finalize beforeFinalize, beforePrune, and for each delete beforeDelete, handler and afterDelete; then afterFinalize and cleanup. beforeApply, beforeDelete, beforePrune, beforeDestroy and beforeFinalize may refuse.",
  size: [720, 470],
  parts: [
    frame([14, 56, 220, 300], "open"),
    hook(22, 92, "options", "fill in, or change", "plain"),
    down(124, 138, 156),
    hook(22, 158, "stateStore", "choose the store", "plain"),
    down(124, 204, 222),
    hook(22, 224, "stateLoaded", "see what is recorded", "plain"),
    down(124, 270, 288),
    hook(22, 290, "scopeCreated", "of the root, then of others", "plain"),
    arrow([
      [234, 206],
      [248, 206],
    ]),
    frame([250, 56, 220, 360], "each resource"),
    hook(258, 92, "props", "change them", "plain"),
    down(360, 138, 156),
    hook(258, 158, "beforeApply", "may refuse", "refused"),
    down(360, 204, 222),
    hook(258, 224, "handler", "around create, update …", "tint"),
    down(360, 270, 288),
    hook(258, 290, "afterApply", "watch", "plain"),
    text([360, 362], "or applyFailed", { align: "middle", mono: true, tone: "soft", size: 12.5 }),
    text([360, 394], ["as many at once as", "concurrency allows"], { align: "middle", tone: "soft", size: 12 }),
    arrow([
      [470, 206],
      [484, 206],
    ]),
    frame([486, 56, 220, 400], "finalize"),
    hook(494, 92, "beforeFinalize", "may refuse", "refused"),
    down(596, 138, 156),
    hook(494, 158, "beforePrune", "keep items, or refuse", "refused"),
    down(596, 204, 222),
    hook(494, 224, "beforeDelete", "may refuse", "refused"),
    down(596, 270, 288),
    hook(494, 290, "handler", "around delete", "tint"),
    down(596, 336, 354),
    hook(494, 356, "afterDelete", "watch", "plain"),
    text([596, 424], ["afterFinalize,", "then cleanup"], { align: "middle", tone: "soft", size: 12.5, mono: true }),
    box([14, 12, 692, 32], "plugin.apply({ hooks, events }) taps, in the order of installation", { tone: "strong" }),
    arrow([
      [124, 44],
      [124, 55],
    ]),
    text([124, 382], ["store requests and values", "meanwhile: storeRequest,", "encodeValue, decodeValue"], {
      align: "middle",
      tone: "soft",
      size: 12,
    }),
  ],
};
