import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { definePlugin } from "../../core/plugin.js";
import { auditLog } from "../../plugins/audit-log.js";
import { Stage } from "../helpers/stage.ts";
import { World } from "../helpers/world.ts";

function fileOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "audit-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "audit.jsonl");
}

/** What stands in the file: of each line what, outcome and id. */
function linesOf(file: string): string[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { what, outcome, fqn } = JSON.parse(line);
    return `${what} ${outcome} ${fqn ?? ""}`.trimEnd();
  });
}

test("a change has its line when its handler begins, for the run may be killed in it", async () => {
  const file = fileOfTest();
  const world = new World();
  const Thing = world.type();
  const seen: string[] = [];
  const look = (): void => void seen.push(linesOf(file).at(-1) ?? "");
  for (const call of ["create a", "update a", "delete a"]) world.on(call, look);
  const stage = new Stage({ plugins: [auditLog({ file })] });
  await stage.up(() => Thing("a", { value: 1 }));
  await stage.up(() => Thing("a", { value: 2 }));
  await stage.up();
  expect(seen).toEqual(["create", "update", "delete"].map((what) => `${what} started app/dev/a`));
  expect(linesOf(file)).toEqual(
    ["create", "update", "delete"].flatMap((what) => [
      "run started",
      `${what} started app/dev/a`,
      `${what} done app/dev/a`,
      "run done",
    ]),
  );
});

test("what a plugin vetoes has not begun, wherever that is installed", async () => {
  const file = fileOfTest();
  const Thing = new World().type();
  const never = definePlugin({
    name: "never",
    apply: ({ hooks }) => hooks.beforeApply.tap("never", ({ veto }) => veto("never")),
  });
  await new Stage({ plugins: [auditLog({ file }), never] }).failures(() => Thing("a"));
  expect(linesOf(file)).toEqual(["run started", "create vetoed app/dev/a", "run failed"]);
});
