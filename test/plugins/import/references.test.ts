/** References of programs that `engine import` and `engine adopt` write: as a person would choose them. */
import { describe, expect, test } from "vitest";
import type { SettledResource } from "../../../plugins/import/program/settled.js";
import { output, printed, resource } from "./made-program.ts";

describe("references", () => {
  const vpc = resource({ address: "vpc.net", offers: { id: "vpc-0a1b2c" } });
  const bucket = resource({ address: "bucket.logs", offers: { arn: "arn:acme:bucket:logs-77" } });

  test("stand in longer texts of props and outputs, also several in one text", () => {
    const both = "vpc-0a1b2c:arn:acme:bucket:logs-77/*";
    const code = printed(
      [vpc, bucket, resource({ address: "policy.p", props: { of: both }, dependencies: ["vpc.net", "bucket.logs"] })],
      [output("path", both), output("other", "x/vpc-0a1b2cd/y")],
    );
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(code).toContain("of: `${net.id}:${logs.arn}/*`");
    expect(code).toContain("path: `${net.id}:${logs.arn}/*`");
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(code).toContain('other: "x/vpc-0a1b2cd/y"');
  });

  test("stand in documents, and in texts with an output of many instances", () => {
    const many = Array.from({ length: 400 }, (_one, at) =>
      resource({
        address: `vpc.all["k${at}"]`,
        name: "all",
        kindName: "vpc",
        key: `k${at}`,
        offers: { id: `vpc-id-${at}` },
      }),
    );
    const document = JSON.stringify({ padding: "y z ".repeat(400), of: "arn:acme:bucket:logs-77/*" });
    const code = printed([
      ...many,
      bucket,
      resource({ address: "policy.p", props: { document }, dependencies: ["bucket.logs"] }),
      resource({ address: "policy.q", props: { path: "net/vpc-id-399/x" }, dependencies: ["vpc.all"] }),
    ]);
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(code).toContain("${logs.arn}/*");
    expect(code).toContain('`net/${alls["k399"]!.id}/x`');
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is code of the program
  });

  test("in texts of outputs are left out if the value is short, or if several resources have it", () => {
    const code = printed(
      [
        resource({ address: "vpc.a", offers: { name: "main" } }),
        resource({ address: "vpc.b", offers: { zone: "zone-1234567" } }),
        resource({ address: "vpc.c", offers: { zone: "zone-1234567" } }),
      ],
      [output("short", "the main one"), output("both", "in zone-1234567 only")],
    );
    expect(code).toContain('short: "the main one"');
    expect(code).toContain('both: "in zone-1234567 only"');
  });

  test("name the resource, unless the state says that the data source is a dependency", () => {
    const data = resource({ address: "data.vpc.found", isData: true, offers: { id: "vpc-0a1b2c" } });
    const of = (address: string, dependencies: readonly string[]) =>
      resource({ address, props: { vpc: "vpc-0a1b2c" }, dependencies });
    const code = printed(
      [data, vpc, of("subnet.one", ["data.vpc.found", "vpc.net"]), of("subnet.two", ["vpc.net"])],
      [output("vpc", "vpc-0a1b2c")],
    );
    expect(code).toContain('acme.subnet("one", { vpc: found.id })');
    expect(code).toContain('acme.subnet("two", { vpc: net.id })');
    expect(code).toContain("app.outputs({ vpc: net.id })");
  });

  test("name the resource that a value comes from, not one that was only given it", () => {
    const subnet = resource({
      address: "subnet.a",
      props: { vpcId: "vpc-0a1b2c" },
      offers: { vpcId: "vpc-0a1b2c", id: "subnet-1" },
      dependencies: ["vpc.net"],
    });
    const server = resource({
      address: "server.s",
      props: { vpc: "vpc-0a1b2c", subnet: "subnet-1" },
      dependencies: ["subnet.a", "vpc.net"],
    });
    expect(printed([subnet, vpc, server])).toContain('acme.server("s", { vpc: net.id, subnet: a.id })');
  });

  test("of data sources stand in longer texts, so that a data source follows the resource that it looks up", () => {
    const data = resource({ address: "data.policy.p", isData: true, props: { of: "arn:acme:bucket:logs-77/*" } });
    const code = printed([data, bucket]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the program
    expect(code).toContain("of: `${logs.arn}/*`");
  });

  describe("to a value that two resources offer", () => {
    const regional = resource({ address: "regional.euWest1", offers: { id: "id-18" } });
    const assets = resource({ address: "bucket.assets", offers: { id: "id-18", arn: "arn:acme:assets-1" } });
    const all = [regional, assets];

    test("are literals in outputs, whole and within longer texts", () => {
      const code = printed(all, [output("Site Reliability", "id-18"), output("path", "x/id-18/arn:acme:assets-1")]);
      expect(code).toContain('"Site Reliability": "id-18"');
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the program
      expect(code).toContain("path: `x/id-18/${assets.arn}`");
    });

    test("follow the recorded dependency, and are literals if both are recorded", () => {
      const user = (name: string, dependencies: readonly string[]) =>
        resource({ address: `user.${name}`, props: { of: "id-18", path: "x/id-18" }, dependencies });
      const both = all.map(({ address }) => address);
      const code = printed([...all, user("one", ["bucket.assets"]), user("two", both), user("none", [])]);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the program
      expect(code).toContain('acme.user("one", { of: assets.id, path: `x/${assets.id}` })');
      for (const name of ["two", "none"])
        expect(code).toContain(`acme.user("${name}", { of: "id-18", path: "x/id-18" })`);
    });

    test("are literals in data sources, also if one of them has it in several instances", () => {
      const data = resource({ address: "data.found.f", isData: true, props: { of: "id-18" } });
      expect(printed([...all, data])).toContain('acme.data.found("f", { of: "id-18" })');
      const instances = ["a", "b"].map((key) => {
        return resource({ address: `zone.all["${key}"]`, name: "all", kindName: "zone", key, offers: { id: "id-18" } });
      });
      expect(printed([regional, ...instances], [output("zone", "id-18")])).toContain('zone: "id-18"');
    });

    test("name the one that the other was made from", () => {
      const given = { bucket: "assets-77" };
      const bucket = resource({ address: "bucket.b", props: given, offers: { id: "assets-77" } });
      const policy = resource({
        address: "policy.p",
        props: given,
        offers: { id: "assets-77" },
        dependencies: ["bucket.b"],
      });
      const site = resource({
        address: "site.s",
        props: { from: "assets-77" },
        dependencies: ["policy.p", "bucket.b"],
      });
      const code = printed([policy, bucket, site], [output("name", "assets-77")]);
      expect(code).toContain('acme.site("s", { from: b.id })');
      expect(code).toContain("app.outputs({ name: b.id })");
    });
  });

  test("in a list that lead out of a function are one parameter, also lists of several lengths", () => {
    const nets = ["a", "b", "c"].map((name) => resource({ address: `vpc.${name}`, offers: { id: `vpc-id-${name}` } }));
    const service = (key: string, names: readonly string[]) =>
      resource({
        address: `module.m["${key}"].service.s`,
        props: { networks: names.map((name) => `vpc-id-${name}`) },
        dependencies: nets.map(({ address }) => address),
      });
    const code = printed([...nets, service("x", ["a", "b"]), service("y", ["c", "b", "a"])]);
    expect(code).toContain("readonly networks: readonly string[];");
    expect(code).toContain("networks: [c.id, b.id, a.id]");
    expect(code).toContain('acme.service("s", { networks })');
  });

  describe("to a name that a person also gave to other resources", () => {
    const name = { name: "shop" };
    const group = resource({ address: "dbGroup.g", props: name, offers: { id: "shop", arn: "arn:acme:db-group:77" } });
    const using = (props: Readonly<Record<string, unknown>>) =>
      printed([group, resource({ address: "server.s", props, dependencies: ["dbGroup.g"] })]);

    test("are made where the prop is named after the resource, and in no other text", () => {
      const code = using({ userName: "shop", dbGroupName: "shop", alarm: "shop-is-down", groups: ["shop"] });
      expect(code).toContain('userName: "shop"');
      expect(code).toContain("dbGroupName: g.id");
      expect(code).toContain('alarm: "shop-is-down"');
      expect(code).toContain("groups: [g.id]");
    });

    test("are literals beside a value that the provider made", () => {
      expect(using({ owner: "shop", of: "arn:acme:db-group:77" })).toContain('{ owner: "shop", of: g.arn }');
      expect(using({ owner: "shop", of: "x/arn:acme:db-group:77" })).toContain('owner: "shop"');
    });

    test("are literals if another dependency explains this one", () => {
      const disk = resource({ address: "disk.d", offers: { id: "disk-77" }, dependencies: ["dbGroup.g"] });
      const props = { disk: "disk-77", action: "shop:start", owner: "shop" };
      const code = printed([
        group,
        disk,
        resource({ address: "server.s", props, dependencies: ["disk.d", "dbGroup.g"] }),
      ]);
      expect(code).toMatch(/disk: d\.id,\s+action: "shop:start",\s+owner: "shop"/);
    });

    test("are made if nothing else explains the dependency", () => {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the program
      expect(using({ owner: "shop", alarm: "shop-is-down" })).toContain("{ owner: g.id, alarm: `${g.id}-is-down` }");
    });
  });

  describe("of a list without dependencies", () => {
    const list = (...resources: readonly SettledResource[]) => printed(resources, [], "unknown");
    const inEu = [{ name: "network" }, { name: "eu" }];
    const part = resource({
      address: "network/eu/part.p",
      scope: inEu,
      name: "p",
      kindName: "part",
      props: { base: "id-7", state: "active" },
      offers: { id: "id-7/acme-prod-a", base: "id-7" },
    });
    const vpc = resource({
      address: "network/vpc.v",
      scope: [{ name: "network" }],
      name: "v",
      kindName: "vpc",
      props: { name: "acme-prod" },
      offers: { name: "acme-prod", id: "id-7", state: "active" },
    });

    test("are guessed from a unique id, and order the scopes", () => {
      const code = list(part, vpc);
      expect(code).toContain("base: v.id");
      expect(code).toContain('state: "active"');
      expect(code).toMatch(/const v = await .+engine\.run\("eu"/s);
    });

    test("are literals if another resource has the same id, and to the resource itself", () => {
      const other = resource({ address: "disk.d", props: { id: "own-id-1" }, offers: { id: "id-7" } });
      const code = list(part, vpc, other);
      expect(code).toContain('base: "id-7"');
      expect(code).toContain('acme.disk("d", { id: "own-id-1" })');
    });

    test("leave a literal where two resources name each other", () => {
      const peer = (name: string, of: string) =>
        resource({ address: `peer.${name}`, props: { of: `peer-${of}1` }, offers: { id: `peer-${name}1` } });
      const code = list(peer("a", "b"), peer("b", "a"));
      expect(code).toContain('acme.peer("a", { of: b.id })');
      expect(code).toContain('acme.peer("b", { of: "peer-a1" })');
    });
  });
});
