import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "a TypeScript program", () => {
  it("is planned and run after its last resource was deleted, but not the import of its type", async () => {
    const types = `import { Resource } from "scope-engine";
      export interface Unused { readonly x: number }
      export const Table = Resource("own:Table", { create: () => ({}), delete: () => console.log("table deleted") });`;
    const imports = `import { Table } from "./types.js";
      import { File } from "scope-engine/resources";
      import { Nothing } from "./declared-only.js";
      import type { Unused } from "./types-alone.js";
      import { type Other } from "./types-alone.js";
      import { engine } from "scope-engine";
      const app = await engine("site");`;
    const end = "await app.finalize();";
    project = await engineProject({
      "engine.run.ts": `${imports}await Table("t"); await File("f", { path: "f.txt", content: "x" });${end}`,
      "types.ts": types,
      "declared-only.d.ts": "export declare const Nothing: number;",
    });
    expect(await project.engine("up")).toMatchObject({ stderr: "", code: 0 });
    await project.write("engine.run.ts", `${imports}${end}`);
    const planned = await project.engine("plan");
    expect(planned).toMatchObject({ stderr: "", stdout: expect.stringContaining("2 to delete"), code: 0 });
    const done = await project.engine("up");
    expect(done).toMatchObject({ stderr: "", stdout: expect.stringContaining("table deleted"), code: 0 });
    expect(await project.names()).not.toContain("f.txt");
  });

  it("deletes resources of built-in kinds that it does not import any more", async () => {
    const begun = `import { engine } from "scope-engine";\nconst app = await engine("site");\n`;
    const used = `import { File } from "scope-engine/resources";\n${begun}await File("f", { path: "f.txt", content: "x" });\n`;
    project = await engineProject({ "engine.run.ts": `${used}await app.finalize();` });
    await project.engine("up");
    await project.write("engine.run.ts", `${begun}await app.finalize();`);
    expect(await project.engine("up")).toMatchObject({ stderr: "", stdout: expect.stringContaining("1 deleted") });
    expect(await project.names()).not.toContain("f.txt");
  });
});
