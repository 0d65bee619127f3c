/**
 * Streams of events as runs send them, and as they may arrive: repeated, reordered, cut off, or with unknown members.
 */
import type { UiEvent } from "../../../plugins/ui/api/index.js";
import { fc } from "../../helpers/checks/generated.js";

const names = ["web", "db", "db/replica", "net/a", "net/b", "net/a/deep/er", "__proto__", "constructor", "<b>x</b>"];
const actions = ["create", "update", "replace", "adopt", "delete", "unchanged", "read", "nonsense"];
const run = { app: "shop", stage: "dev", phase: "up", planned: false, by: { user: "ada", host: "laptop", pid: 7 } };
const nothing = { created: 0, updated: 0, replaced: 0, adopted: 0, read: 0, unchanged: 0, deleted: 0, retained: 0 };
const summary = { ...nothing, left: 0, failed: 0, stopped: 0, notBegun: 0 };
const holder = {
  session: "s",
  command: "up",
  user: "bob",
  host: "ci",
  pid: 3,
  since: "x",
  process: "runs",
  ttl: 1,
  version: "1",
};

const anything = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }));
const resource = fc.record({
  kind: fc.constantFrom("fs:File", "sql:Database"),
  id: fc.constant("x"),
  fqn: fc.constantFrom(...names).map((name) => `shop/dev/${name}`),
  action: fc.constantFrom(...actions),
  duration: fc.nat(5_000),
  waited: fc.nat(5_000),
});
const failure = fc.record({
  code: fc.constant("HANDLER_FAILED"),
  message: fc.string(),
  causes: fc.array(fc.string(), { maxLength: 2 }),
  frames: fc.array(fc.string(), { maxLength: 2 }),
});
const typed = (type: string) => fc.constant({ type });
const merged = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all));

const body = fc.oneof(
  {
    weight: 12,
    arbitrary: merged(
      fc.record({
        type: fc.constantFrom(
          ..."queued started created updated replaced adopted deleted read skipped retained stopped"
            .split(" ")
            .map((word) => `resource:${word}`),
        ),
      }),
      resource,
    ),
  },
  { weight: 3, arbitrary: merged(typed("resource:failed"), resource, failure) },
  {
    weight: 3,
    arbitrary: merged(
      fc.record({ type: fc.constantFrom("resource:retrying", "resource:log", "resource:looked", "resource:drifted") }),
      resource,
      fc.record({
        attempt: fc.nat(9),
        attempts: fc.nat(9),
        delay: fc.nat(900),
        message: fc.string(),
        total: fc.nat(9),
      }),
      fc.record({ gone: fc.boolean(), paths: fc.array(fc.string(), { maxLength: 2 }) }),
    ),
  },
  {
    weight: 3,
    arbitrary: merged(
      fc.record({ type: fc.constantFrom("run:started", "run:finished", "run:failed", "run:repeated") }),
      fc.record({
        run: fc.constantFrom("r1", "r2"),
        ok: fc.boolean(),
        interrupted: fc.boolean(),
        duration: fc.nat(9_000),
      }),
      fc.constant({ ...run, summary }),
      fc.array(failure, { maxLength: 2 }).map((errors) => ({ errors })),
      failure,
    ),
  },
  {
    weight: 3,
    arbitrary: merged(
      fc.record({
        type: fc.constantFrom(
          "state:waiting",
          "state:waited",
          "state:locked",
          "state:committed",
          "state:unlocked",
          "state:taken-over",
        ),
        seq: fc.nat(99),
        changes: fc.nat(9),
      }),
      fc.constant({ owner: "bob@ci", since: "x", holder }),
    ),
  },
  {
    weight: 3,
    arbitrary: merged(
      fc.record({
        type: fc.constantFrom(
          "process:started",
          "process:exited",
          "process:log",
          "scope:created",
          "tunnel:opened",
          "warning",
        ),
        pid: fc.nat(3),
        exitCode: fc.constantFrom(0, 1, null),
        url: fc.constant("https://x"),
        code: fc.constant("W"),
        message: fc.string(),
      }),
      resource,
    ),
  },
  {
    weight: 2,
    arbitrary: merged(
      fc.record({
        type: fc.constantFrom("ui:asked", "ui:answered", "plan:made"),
        question: fc.constantFrom("q1", "q2"),
      }),
      fc
        .array(fc.oneof(resource, anything), { maxLength: 3 })
        .map((list) => ({ actions: list, unknown: list, errors: list })),
      fc.record({ approved: fc.oneof(fc.boolean(), fc.constant(undefined)), text: fc.string() }),
    ),
  },
  // Members of the wrong type, and unknown members and types.
  {
    weight: 4,
    arbitrary: merged(
      fc.record({
        type: fc.constantFrom(
          "resource:created",
          "resource:failed",
          "run:finished",
          "plan:made",
          "ui:asked",
          "later:event",
        ),
      }),
      fc.dictionary(
        fc.constantFrom("fqn", "kind", "run", "summary", "errors", "actions", "causes", "holder", "by", "new"),
        anything,
      ),
    ),
  },
);

const START = Date.UTC(2026, 0, 2, 3, 4, 5);
const time = fc.oneof(
  { weight: 20, arbitrary: fc.nat(60_000).map((ms) => new Date(START + ms).toISOString()) },
  { weight: 1, arbitrary: fc.constantFrom("", "yesterday", "9999-99-99T00:00:00Z") },
);

/** In any order. */
export const stream: fc.Arbitrary<readonly UiEvent[]> = fc.array(
  fc.tuple(body, time).map(([event, at]) => ({ type: "", ...event, v: 1, time: at })),
  { maxLength: 80 },
);

/** The same in the order of time, as one run sends it. */
export const orderly = stream.map((events) => [...events].sort((one, other) => (one.time < other.time ? -1 : 1)));
