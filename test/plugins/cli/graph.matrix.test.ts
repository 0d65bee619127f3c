import { spawnSync } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import { graphOf } from "../../../plugins/admin/operations/graph.js";
import { toSvg } from "../../../plugins/cli/graph/svg.js";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { fileInFolder } from "./file-in-folder.ts";
import { records } from "./graph-records.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "engine graph", () => {
  it("prints Mermaid, or what is asked for, and writes a file in the format of its name", async () => {
    project = await engineProject({ "engine.run.mjs": fileInFolder });
    const missing = await project.engine("graph");
    expect(missing).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("There is no state of"),
    });
    await project.engine("up");
    expect((await project.engine("graph")).stdout).toContain("r1 --> r2");
    expect((await project.engine("graph", "--format", "dot")).stdout).toMatch(/^digraph "site\/tester" \{/);
    expect(JSON.parse((await project.engine("graph", "--format=json")).stdout)).toMatchObject({ nodes: [{}, {}] });
    for (const [name, start] of [
      ["a.svg", "<svg"],
      ["a.html", "<!doctype html>"],
      ["a.mmd", "flowchart"],
      ["a.gv", "digraph"],
    ] as const) {
      expect(await project.engine("graph", "--out", name)).toMatchObject({
        code: 0,
        stdout: "",
        stderr: `written: ${name}\n`,
      });
      expect((await project.read(name)).startsWith(start)).toBe(true);
    }
    const unknown = await project.engine("graph", "--out", "a.png");
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("Pass --format") });
    const nowhere = await project.engine("graph", "--out", "nowhere/a.svg");
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('"nowhere/a.svg" could not be written') });
  });

  it("makes an SVG that an XML parser accepts", async () => {
    const svg = await toSvg(graphOf("shop", "dev", records));
    const { status, stderr } = spawnSync(
      "python3",
      ["-c", "import sys, xml.dom.minidom as m; m.parseString(sys.stdin.buffer.read())"],
      { input: svg },
    );
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
  });
});
