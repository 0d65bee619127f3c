import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ExampleSite, resourceLines } from "./example-site.ts";

const timeout = 120_000;

let site: ExampleSite;
beforeEach(async () => {
  site = await ExampleSite.make();
  for (const page of ["index", "one", "two", "three"]) {
    await site.write(`notes/${page}.md`, `# Page ${page}\n\nText.\n`);
  }
  await site.write("notes/logo.svg", "<svg/>");
});
afterEach(() => site.remove());

async function done(flags: readonly string[] = [], output?: string): Promise<readonly string[]> {
  const { code, lines, stderr } = await site.run({ flags, ...(output !== undefined && { output }) });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return lines;
}

/** One page is new, one has another text, one is gone. */
async function editPages(): Promise<void> {
  await site.write("notes/four.md", "# Page four\n\nText.\n");
  await site.write("notes/two.md", "# Page two\n\nOther text.\n");
  await rm(join(site.root, "notes/three.md"));
}

/** `create four.md`, … of a plan, in its order. */
function planned(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [, action, path] = /^[-+~±>] (\w+) +site\/dev\/(\S*) /.exec(line) ?? [];
    return action === undefined ? [] : [`${action} ${path}`];
  });
}

describe("a plan of the example", { timeout }, () => {
  test("of the first run knows everything but the name of the build, and does nothing", async () => {
    const lines = await done(["--plan"]);
    expect(lines.at(-1)).toBe("plan of site/dev: 8 to create");
    expect(planned(lines)).toHaveLength(8);
    expect(lines.join("\n")).not.toMatch(/undefined|\[object/);
    expect(await site.files("public")).toEqual({});
    expect(await site.files(".engine")).toEqual({});
  });

  test("shows a create, an update and a delete, writes nothing, and the run after it does just that", async () => {
    await done();
    const before = await site.files("");
    await editPages();
    const edited = await site.files("");
    const lines = await done(["--plan"]);
    const actions = ["create four.md", "update two.md", "update index", "delete three.md"];
    expect(planned(lines)).toEqual(actions);
    expect(lines.at(-1)).toBe("plan of site/dev: 1 to create, 2 to update, 1 to delete, 5 unchanged");
    const at = lines.findIndex((line) => line.includes("<p>Other text."));
    expect(lines.slice(at - 1, at + 1).map((line) => line.trim())).toEqual(["- <p>Text.</p>", "+ <p>Other text.</p>"]);
    expect(await site.files("")).toEqual(edited);
    expect(await site.files("public")).toEqual(below(before, "public/"));
    const run = resourceLines(await done());
    expect(run).toEqual(["created four.md", "updated two.md", "updated index", "deleted three.md"]);
    expect(planned(await done(["--plan"]))).toEqual([]);
  });

  test("shows that another output folder replaces the files, and a run held to the saved plan does just that", async () => {
    await done();
    await editPages();
    const edited = await site.files("");
    const actions = [
      "replace output",
      "replace site.css",
      "create four.md",
      "replace one.md",
      "replace two.md",
      "replace logo.svg",
      "replace index",
      "delete three.md",
    ];
    const lines = await done(["--plan", "--out", "plan.json"], "www");
    expect(planned(lines)).toEqual(actions);
    const { "plan.json": saved, ...others } = await site.files("");
    expect(others).toEqual(edited);
    expect(JSON.parse(saved ?? "").counts).toMatchObject({ create: 1, replace: 6, delete: 1, unchanged: 1 });
    const run = resourceLines(await done(["--plan=plan.json"], "www"));
    const pasts = { create: "created", replace: "replaced", delete: "deleted" } as const;
    const said = actions.map((line) => line.replace(/^\w+/, (action) => Reflect.get(pasts, action)));
    // At the end the old copies are deleted, too.
    const old = actions.flatMap((line) => (line.startsWith("replace ") ? [line.replace("replace", "deleted")] : []));
    expect([...run].sort()).toEqual([...said, ...old].sort());
    expect(await site.files("public")).toEqual({});
    expect(Object.keys(await site.files("www")).sort()).toEqual(
      ["four.html", "index.html", "logo.svg", "one.html", "site.css", "two.html"].sort(),
    );
    expect((await done([], "www")).at(-1)).toMatch(/^site\/dev up done in .*: 8 unchanged$/);
  });

  test("that was saved is refused once the state has changed, and stops the run before an action that it does not hold", async () => {
    await done();
    await done(["--plan", "--out", "nothing.json"]);
    await editPages();
    const edited = await site.files("");
    const held = await site.run({ flags: ["--plan=nothing.json"] });
    expect(held.code).toBe(1);
    expect(held.stderr).toMatch(/^error {4}The saved plan has no action for "site\/dev\/four.md".*\[PLAN_MISMATCH\]$/m);
    expect(await site.files("public")).toEqual(below(edited, "public/"));
    await done();
    const late = await site.run({ flags: ["--plan=nothing.json"] });
    expect(late.code).toBe(1);
    expect(late.stderr).toMatch(/^error {4}.* Make a new plan\. \[PLAN_STALE\]\n$/);
  });
});

function below(files: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  const inside = Object.entries(files).filter(([path]) => path.startsWith(folder));
  return Object.fromEntries(inside.map(([path, content]) => [path.slice(folder.length), content]));
}
