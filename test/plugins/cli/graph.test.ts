import { afterEach, describe, expect, it } from "vitest";
import { graphOf } from "../../../plugins/admin/operations/graph.js";
import { toDot } from "../../../plugins/cli/graph/dot.js";
import { toMermaid } from "../../../plugins/cli/graph/mermaid.js";
import { layOut, toSvg } from "../../../plugins/cli/graph/svg.js";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { fileInFolder } from "./file-in-folder.ts";
import { record, records } from "./graph-records.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describe("the graph of a stage", () => {
  const graph = graphOf("shop", "dev", records);

  it("numbers resources in the order in which they were made", () => {
    expect(graph.nodes.map(({ order, fqn }) => `${order} ${fqn}`)).toEqual([
      "1 shop/dev/network",
      "2 shop/dev/db",
      "3 shop/dev/db/user",
      "4 shop/dev/web/front",
      "5 shop/dev/web/deep/cache",
    ]);
  });

  it("groups them by scopes, and by the resources that they were declared in", () => {
    const names = new Map(graph.groups.map(({ name, fqn }) => [name, fqn]));
    expect(graph.groups.map(({ fqn, kind, group }) => [fqn, kind, names.get(group ?? "")])).toEqual([
      ["shop/dev/db", "test:Box", undefined],
      ["shop/dev/web", undefined, undefined],
      ["shop/dev/web/deep", undefined, "shop/dev/web"],
    ]);
    expect(graph.nodes.map(({ group }) => names.get(group ?? ""))).toEqual([
      undefined,
      "shop/dev/db",
      "shop/dev/db",
      "shop/dev/web",
      "shop/dev/web/deep",
    ]);
  });

  it("leads from what is there first to what needs it, and leaves out what is gone", () => {
    expect(graph.edges.map(({ from, to }) => `${from} > ${to}`).sort()).toEqual([
      "shop/dev/db > shop/dev/web/front",
      "shop/dev/network > shop/dev/db",
      "shop/dev/network > shop/dev/web/deep/cache",
      "shop/dev/network > shop/dev/web/front",
    ]);
  });

  it("leads also from what was awaited, seen by order and values, and says that this is not certain", () => {
    const shared = { region: "eu-central-1" };
    const made = [
      record("site", {
        ready: [0],
        done: [1],
        props: { path: "public", ...shared },
        output: { path: "public", ...shared },
      }),
      record("db", {
        ready: [2],
        done: [3],
        props: shared,
        output: { url: "db://10.0.0.7:5432", ...shared, port: 5432 },
      }),
      record("key", { ready: [4], done: [5], output: { token: { $secret: ["abcdefgh"] }, short: "abc" } }),
      record("page", { ready: [6], done: [7], props: { path: "public/index.html", ...shared } }),
      record("api", {
        ready: [8],
        done: [9],
        props: { env: ["DB=db://10.0.0.7:5432/shop", "abcdefgh abc"] },
        refs: ["uid-site"],
        output: { db: "db://10.0.0.7:5432" },
      }),
      record("web", { ready: [10], props: { listen: 5432, of: { url: "db://10.0.0.7:5432" } } }),
      // It became ready before the output existed, so it cannot have used it.
      record("early", { ready: [2, 5], props: { url: "db://10.0.0.7:5432" } }),
    ];
    const { edges } = graphOf("shop", "dev", made);
    expect(
      edges.map(({ from, to, certain }) => `${from} ${certain ? ">" : "~"} ${to}`.replaceAll("shop/dev/", "")),
    ).toEqual(["site ~ page", "site > api", "db ~ api", "db ~ web"]);
    const graph = graphOf("shop", "dev", made);
    expect(toMermaid(graph)).toMatch(/r1 -\.-> r\d[\s\S]*r1 --> r\d/);
    expect(toDot(graph)).toMatch(/r1 -> r\d \[style=dashed\];[\s\S]*r1 -> r\d;/);
  });

  it("tells what is begun and not finished, and old copies", () => {
    const old = graphOf("a", "b", [record("x"), record("x", { uid: "old", replaced: true, refs: ["uid-x"] })]);
    expect(old.nodes.map(({ status }) => status)).toEqual(["ready", "replaced"]);
    expect(old.edges).toEqual([]);
    expect(graph.nodes.find(({ id }) => id === "user")?.status).toBe("pending");
  });

  it("is laid out without two boxes over each other, and each group around what is in it", async () => {
    const { boxes } = await layOut(graph);
    const at = (name: string) => boxes.get(name) ?? { x: 0, y: 0, width: 0, height: 0 };
    const isApart = (a: string, b: string): boolean => {
      const [one, other] = [at(a), at(b)];
      const beside = one.x + one.width <= other.x || other.x + other.width <= one.x;
      return beside || one.y + one.height <= other.y || other.y + other.height <= one.y;
    };
    for (const { name } of graph.nodes) {
      for (const { name: other } of graph.nodes) expect(name === other || isApart(name, other)).toBe(true);
    }
    for (const { name, group = "" } of [...graph.nodes, ...graph.groups].filter(({ group }) => group !== undefined)) {
      const [inner, outer] = [at(name), at(group)];
      expect(inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width).toBe(true);
      expect(inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height).toBe(true);
    }
  });

  it("stays what it is where names hold what a format uses itself", async () => {
    const odd = graphOf("a", "b", [record('x "]; <b>&\\')]);
    expect(toMermaid(odd)).toContain('r1["1. x #34;#93;#59; #60;b#62;#38;#92;<br/>');
    expect(toDot(odd)).toContain('label="1. x \\"]; <b>&\\\\\\ntest:Box"');
    expect(await toSvg(odd)).toContain("1. x &quot;]; &lt;b&gt;&amp;\\</text>");
  });
});

describeUnless(lacksPackage, "engine graph", () => {
  it("prints Mermaid", async () => {
    project = await engineProject({ "engine.run.mjs": fileInFolder });
    await project.engine("up");
    expect((await project.engine("graph")).stdout).toMatch(/^flowchart LR\n[\s\S]*r1 --> r2/);
  });
});
