import { describe, expect, test } from "vitest";
import type { Plan, PlannedAction } from "../../core/contract/index.js";
import { planLines } from "../../plugins/console-output/plan-view.js";
import { plainTheme } from "../../plugins/console-output/theme.js";

const empty: Plan = {
  format: 1,
  app: "shop",
  stage: "dev",
  phase: "up",
  actions: [],
  counts: { create: 0, update: 0, replace: 0, adopt: 0, delete: 0, unchanged: 0 },
  uncertain: { create: 0, update: 0, replace: 0, adopt: 0, delete: 0 },
  recordOnly: [],
  unknown: [],
  kept: [],
  leftOut: [],
  errors: [],
  state: { lineage: undefined, seq: 0, lines: 0, digest: "", contents: "" },
};

function action(given: Partial<PlannedAction>): PlannedAction {
  const { id = "a" } = given;
  return {
    kind: "K",
    id,
    fqn: `shop/dev/${id}`,
    action: "update",
    reason: "why",
    changes: [],
    drift: [],
    certain: true,
    mayReplace: false,
    ...given,
  };
}

describe("a plan for people", () => {
  test("has a line for each action with its sign and reason, and the counts at the end", () => {
    const actions = (["create", "update", "replace", "adopt", "delete"] as const).map((one) =>
      action({ id: one, action: one }),
    );
    const counts = { create: 1, update: 1, replace: 1, adopt: 1, delete: 1, unchanged: 20 };
    expect(planLines({ ...empty, actions, counts })).toEqual([
      "+ create   shop/dev/create   (K)  why",
      "~ update   shop/dev/update   (K)  why",
      "± replace  shop/dev/replace  (K)  why",
      "> adopt    shop/dev/adopt    (K)  why",
      "- delete   shop/dev/delete   (K)  why",
      "",
      "plan of shop/dev: 1 to create, 1 to adopt, 1 to update, 1 to replace, 1 to delete, 20 unchanged",
    ]);
  });

  test("shows of a delete what goes", () => {
    const changes = [
      { path: "/path", old: "a.txt" },
      { path: "/mode", old: 0o644 },
    ];
    const lines = planLines({ ...empty, actions: [action({ action: "delete", changes })] });
    expect(lines.slice(1, 3)).toEqual(['           path: "a.txt"', "           mode: 420"]);
  });

  test("says that there is nothing to do", () => {
    expect(planLines(empty)).toEqual(["plan of shop/dev: nothing to do"]);
    expect(planLines({ ...empty, phase: "destroy", counts: { ...empty.counts, unchanged: 3 } })).toEqual([
      "plan of shop/dev destroy: nothing to do, 3 unchanged",
    ]);
  });

  test("shows properties below each other, from what to what, and what is really there", () => {
    const changes = [
      { path: "/tags/team", old: "x", new: "y" },
      { path: "/a~1b", new: [1, { deep: true }] },
      { path: "/gone", old: null },
      { path: "/url", old: "https://a", new: "(known after apply)" },
      { path: "/password", old: "Secret(db)", new: "Secret(db)" },
      { path: "", old: 1, new: 2 },
    ];
    const drift = [{ path: "/size", old: 1, new: 2 }];
    expect(planLines({ ...empty, actions: [action({ changes, drift })] }).slice(1, 8)).toEqual([
      '           tags.team:  "x" → "y"',
      '           a/b:        (none) → [1,{"deep":true}]',
      "           gone:       null → (none)",
      '           url:        "https://a" → (known after apply)',
      "           password:   Secret(db) (changed)",
      "           all:        1 → 2",
      "           drift size: 1 → 2",
    ]);
  });

  test("puts long values below each other, and shortens digests", () => {
    const changes = [
      { path: "/text", old: "x".repeat(40), new: "y".repeat(40) },
      { path: "/sha256", old: "0123456789abcdef".repeat(4), new: "fedcba9876543210".repeat(4) },
    ];
    expect(planLines({ ...empty, actions: [action({ changes })] }).slice(1, 4)).toEqual([
      `           text:   "${"x".repeat(40)}"`,
      `                 → "${"y".repeat(40)}"`,
      "           sha256: 0123456789ab… → fedcba987654…",
    ]);
  });

  test("of long values shows the part that differs", () => {
    const text = (name: string): string => `${"x".repeat(200)} ${name} ${"y".repeat(200)}`;
    const change = { path: "/policy", old: text("GetItem"), new: text("PutItem") };
    const [old = "", now = ""] = planLines({ ...empty, actions: [action({ changes: [change] })] }).slice(1);
    expect(old).toMatch(/^ {11}policy: …x+ GetItem y+…$/);
    expect(now).toMatch(/^ {17}→ …x+ PutItem y+…$/);
  });

  test("says of a long secret value that it is changed, however narrow the terminal is", () => {
    const change = { path: "/pem", old: `Secret(${"k".repeat(90)})`, new: `Secret(${"k".repeat(90)})` };
    const look = plainTheme(() => 60);
    expect(planLines({ ...empty, actions: [action({ changes: [change] })] }, look)[1]).toMatch(/k… \(changed\)$/);
  });

  test("has a reason of several lines in its column, and no number apart from what it counts", () => {
    const actions = [action({ reason: "its create failed (Odd:\n  a\n  b)" })];
    const counts = { ...empty.counts, create: 11, update: 12, delete: 13 };
    const lines = planLines(
      { ...empty, actions, counts },
      plainTheme(() => 45),
    );
    expect(lines).toEqual([
      "~ update   shop/dev/a",
      "  (K) its create failed (Odd: a b)",
      "",
      "plan of shop/dev: 11 to create, 12 to update,",
      "13 to delete",
    ]);
  });

  test("aligns kinds and reasons, but not to a name that is very long", () => {
    const actions = [
      action({ id: "a", kind: "demo:Queue" }),
      action({ id: "longer", kind: "K" }),
      action({ id: "x".repeat(80) }),
    ];
    expect(planLines({ ...empty, actions }).slice(0, 3)).toEqual([
      "~ update   shop/dev/a       (demo:Queue)  why",
      "~ update   shop/dev/longer  (K)           why",
      `~ update   shop/dev/${"x".repeat(80)}  (K)           why`,
    ]);
  });

  test("that can do nothing but fail does not say that there is nothing to do", () => {
    expect(planLines({ ...empty, errors: [{ code: "PROTECTED", message: "no" }] })).toEqual([
      "A run would fail. One error: no",
      "plan of shop/dev: nothing can be done",
    ]);
  });

  test("cuts long values", () => {
    const lines = planLines({
      ...empty,
      actions: [action({ action: "create", changes: [{ path: "/text", new: "x".repeat(500) }] })],
    });
    expect(lines[1]).toHaveLength(" ".repeat(11).length + "text: ".length + 72);
    expect(lines).toHaveLength(4);
  });

  test("says what is uncertain, what is not known, what stays, and what a run would fail with", () => {
    const note = { kind: "K", id: "x", fqn: "shop/dev/a/x", reason: "because" };
    const lines = planLines({
      ...empty,
      actions: [action({ certain: false }), action({ mayReplace: true }), action({ mayReplace: true, certain: false })],
      unknown: [note],
      kept: [note],
      stopped: "app/dev/a is not known here.\nsecond line",
      errors: [{ code: "PROTECTED", message: "no" }],
    });
    expect(lines).toEqual([
      "~ update   shop/dev/a    (K)  why [perhaps unchanged, once its values are known]",
      "~ update   shop/dev/a    (K)  why [update, or replace if its handler asks for it]",
      "~ update   shop/dev/a    (K)  why [update, or replace if its handler asks for it; perhaps unchanged, once its values are known]",
      "? unknown  shop/dev/a/x  (K)  because",
      "= keep     shop/dev/a/x  (K)  because",
      "",
      "A run would fail. One error: no",
      "The plan ends here, because it cannot follow the program any further: app/dev/a is not known here.",
      "           second line",
      "Later declarations, and the deletes at the end of a run, are not known.",
      "plan of shop/dev: nothing so far",
    ]);
  });

  test("counts apart what may not happen, and says of its delete when it happens", () => {
    const deletes = { does: "drops the database", output: [], uid: "u", digest: "d" };
    const lines = planLines({
      ...empty,
      actions: [
        action({}),
        action({ action: "replace", certain: false, deletes, deletesFirst: ["shop/dev/b"] }),
        action({ action: "replace", deletes }),
      ],
      counts: { ...empty.counts, update: 1, replace: 1, unchanged: 5 },
      uncertain: { ...empty.uncertain, replace: 1, update: 2 },
    });
    expect(lines).toEqual([
      "~ update   shop/dev/a  (K)  why",
      "± replace  shop/dev/a  (K)  why [perhaps unchanged, once its values are known]",
      "           If it is replaced: deleting the old one drops the database",
      "           If it is replaced: deletes first shop/dev/b",
      "± replace  shop/dev/a  (K)  why",
      "           deleting the old one drops the database",
      "",
      "plan of shop/dev: 1 to update, 1 to replace, up to 2 may be updated, up to 1 may be replaced, 5 unchanged",
    ]);
  });

  test("names the first fault of an error that lists several", () => {
    const message =
      'The props of "shop/dev/f" are not valid:\n  - props.content: must be a string\n  - props.path: is missing';
    expect(planLines({ ...empty, errors: [{ code: "INVALID_PROPS", message }] }, plainTheme())).toContain(
      'A run would fail. One error: The props of "shop/dev/f" are not valid: props.content: must be a string',
    );
  });
});
