/** Runs that are continued with another definition than they began with. */
import { describe, expect, test } from "vitest";
import { named, type Tenants, tenants } from "./tenants.js";

test.each(["up", "resume"] as const)("%s continues a retry that was interrupted", async (way) => {
  const made = tenants(named(6), { fails: true });
  expect(await made.fleet({ version: "1" }).up()).toMatchObject({ state: "failed", stages: { failed: 6 } });
  for (const name of named(6)) made.stages.set(name, { plan: "small" });
  const controller = new AbortController();
  const onStage = (): void => controller.abort();
  const options = { version: "1", concurrency: 1 };
  const cut = await made.fleet(options).retry({ signal: controller.signal, onStage });
  expect(cut.state).toBe("interrupted");
  expect(cut.stages.changed).toBeLessThan(6);
  made.log.length = 0;
  const report = await made.fleet(options)[way]();
  expect(report).toMatchObject({ state: "done", stages: { changed: 6, failed: 0 } });
  expect(report.earlier ?? 0).toBe(cut.duration);
  expect(report.duration).toBeGreaterThanOrEqual(cut.duration);
  expect(made.log).toHaveLength(6 - cut.stages.changed);
});

test("stages that fail in an interrupted retry are not begun again by resume", async () => {
  const made = tenants(named(6), { fails: true });
  await made.fleet().up();
  const controller = new AbortController();
  await made.fleet({ concurrency: 1 }).retry({ signal: controller.signal, onStage: () => controller.abort() });
  made.log.length = 0;
  expect(await made.fleet({ concurrency: 1 }).resume()).toMatchObject({ state: "failed", stages: { failed: 6 } });
  expect(made.log.length).toBeLessThan(6);
});

describe("a run that is continued with a changed definition and the same version", () => {
  type Definition = Parameters<Tenants["fleet"]>[0];
  const before: Definition = { version: "1", waves: ["30%", { to: "100%", start: "manual" }], maxFailures: 5 };

  /** Begins a run that waits at the gate of its last wave, and continues it. */
  async function continuedWith(after: Definition, way: "up" | "retry" | "resume", names = named(12)) {
    const made = tenants(names);
    const first = await made.fleet(before).up({ wait: false });
    expect(first.state).toBe("waiting");
    made.stages.set("new", { plan: "small" });
    made.log.length = 0;
    const warnings: string[] = [];
    const onWarning = (code: string, message: string): void => void warnings.push(`${code} ${message}`);
    const report = await made.fleet({ ...before, ...after })[way]({ wait: false, onWarning });
    return { made, first, report, warnings };
  }

  test.each(["up", "retry", "resume"] as const)(
    "%s names each changed option, with the old and the new",
    async (way) => {
      const limit = { key: () => "", concurrency: 2, rate: { max: 100, duration: 1 } };
      const after: Definition = { maxFailures: "2%", prune: { max: 3 }, limit };
      const { first, report, warnings } = await continuedWith(after, way);
      expect(report.run).toBe(first.run);
      expect(warnings).toEqual([
        expect.stringMatching(/^CONTINUED This continues the up of the fleet "tenants" that began/),
      ]);
      const all =
        "maxFailures (5 → 2%); limit (none → 2 at once, 100 in 1 ms); prune (false → at most 3); stages (12 → 13)";
      expect(warnings[0]).toContain(`has changed since then: ${all}. The run goes on with the new definition. Stages`);
    },
  );

  test("other waves are begun again from the first, so that no gate is passed that was not seen", async () => {
    const waves = ["10%", { to: "60%", start: "manual" }, "100%"] as const;
    const { made, first, report, warnings } = await continuedWith({ waves }, "resume");
    expect(warnings[0]).toContain("waves (30%, 100% by hand → 10%, 60% by hand, 100%); stages (12 → 13). The run");
    expect(warnings[0]).toContain("its waves begin again from the first one");
    expect(report).toMatchObject({ run: first.run, state: "waiting", reason: "wave 2 of 3 begins by hand" });
    for (const { stages, waves: shown } of [report, await made.fleet().status()].flatMap((one) => one ?? []))
      expect(shown.reduce((sum, { finished }) => sum + finished, 0)).toBe(stages.changed);
    const done = await made.fleet({ ...before, waves }).resume();
    expect(done).toMatchObject({ state: "done", stages: { total: 13, changed: 13 } });
    expect(made.log.toSorted()).toEqual([...new Set(made.log)].toSorted());
  });

  test("stages with other names are named, also if there are as many", async () => {
    const made = tenants(named(12));
    await made.fleet(before).up({ wait: false });
    made.stages.delete("t11");
    made.stages.set("new", { plan: "small" });
    const warnings: string[] = [];
    await made.fleet(before).resume({ onWarning: (_, message) => void warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining("has changed since then: stages (other names). The run")]);
  });

  test("the same definition is not warned of", async () => {
    const made = tenants(named(12));
    await made.fleet(before).up({ wait: false });
    const warnings: string[] = [];
    await made.fleet({ ...before }).resume({ onWarning: (_, message) => void warnings.push(message) });
    expect(warnings).toEqual([]);
  });
});
