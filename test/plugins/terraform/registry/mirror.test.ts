import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentHash } from "../../../../plugins/terraform/registry/cache.js";
import {
  addProvider,
  lockIn,
  parseSource,
  resolveProvider,
  thisTarget,
} from "../../../../plugins/terraform/registry/index.js";
import { targetText } from "../../../../plugins/terraform/registry/source.js";
import { unpack } from "../../../../plugins/terraform/registry/unpack.ts";
import { cwd as folder, folderEach } from "../../../e2e/own-folder.ts";
import { archiveOf, sha256 } from "./local-registry.ts";
import { type Packed, zipOf } from "./zip.ts";

folderEach("terraform-mirror");

const system = targetText(thisTarget());
const place = () => ({ root: join(folder, "cache"), lockFile: join(folder, "engine.lock.json") });

async function add(text: string, mirror?: string) {
  const added = await addProvider(parseSource(text, folder), { ...place(), ...(mirror ? { mirror } : {}) });
  lockIn(place().lockFile, added);
  return added;
}

describe("a mirror folder", () => {
  test("has packed providers, of which the newest in the range is taken, for runs as well", async () => {
    const mirror = join(folder, "mirror");
    const own = join(mirror, "registry.opentofu.org/acme/thing");
    await mkdir(own, { recursive: true });
    for (const version of ["1.0.0", "1.1.0", "2.0.0"]) {
      await writeFile(join(own, `terraform-provider-thing_${version}_${system}.zip`), archiveOf({ version }, "thing"));
    }
    await writeFile(join(own, "terraform-provider-thing_1.1.0_plan9_mips.zip"), "other");
    const { locked, executable } = await add("acme/thing@^1", mirror);
    expect(await readFile(executable, "utf8")).toBe("#!/bin/sh\n# 1.1.0\n");
    expect(locked).toMatchObject({ version: "1.1.0", range: "^1", mirror: "./mirror", protocols: [] });
    const sums = [archiveOf({ version: "1.1.0" }, "thing"), Buffer.from("other")].map((bytes) => `zh:${sha256(bytes)}`);
    expect(locked.hashes).toEqual(expect.arrayContaining([...sums, expect.stringMatching(/^h1:/)]));
    await rm(place().root, { recursive: true });
    expect(await resolveProvider(place().lockFile, "registry.opentofu.org/acme/thing", place())).toBe(executable);
  });

  test("of Terraform, which names the folder by its own registry, serves the default registry", async () => {
    const mirror = join(folder, "mirror");
    const own = join(mirror, "registry.terraform.io/acme/thing");
    await mkdir(own, { recursive: true });
    await writeFile(
      join(own, `terraform-provider-thing_1.0.0_${system}.zip`),
      archiveOf({ version: "1.0.0" }, "thing"),
    );
    const { executable } = await add("acme/thing", mirror);
    await rm(place().root, { recursive: true });
    expect(await resolveProvider(place().lockFile, "registry.opentofu.org/acme/thing", place())).toBe(executable);
    const elsewhere = add("registry.example.com/acme/thing", mirror);
    await expect(elsewhere).rejects.toMatchObject({ code: "PROVIDER_MISSING" });
  });

  test("has unpacked ones", async () => {
    const mirror = join(folder, "mirror");
    const own = join(mirror, "registry.opentofu.org/acme/thing/1.0.0", system);
    await mkdir(own, { recursive: true });
    await writeFile(join(own, "terraform-provider-thing_v1.0.0"), "it");
    const { locked, executable } = await add("acme/thing", mirror);
    expect(await readFile(executable, "utf8")).toBe("it");
    expect(locked.hashes).toContain(await contentHash(own));
    await rm(place().root, { recursive: true });
    await writeFile(join(own, "terraform-provider-thing_v1.0.0"), "changed");
    await expect(resolveProvider(place().lockFile, "registry.opentofu.org/acme/thing", place())).rejects.toMatchObject({
      code: "PROVIDER_UNVERIFIED",
    });
  });

  test("without the provider, or without it for this system, says where it was looked for", async () => {
    const mirror = join(folder, "mirror");
    await expect(add("acme/thing", mirror)).rejects.toThrow(join(mirror, "registry.opentofu.org/acme/thing"));
    await mkdir(join(mirror, "registry.opentofu.org/acme/thing/1.0.0/plan9_mips"), { recursive: true });
    await expect(add("acme/thing", mirror)).rejects.toThrow(`supports ${system}. Supported: plan9_mips`);
  });
});

describe("a path", () => {
  test("to a program, or a folder with one, is used as it is", async () => {
    const program = join(folder, "bin/terraform-provider-my-thing");
    await mkdir(join(folder, "bin"));
    await writeFile(program, "it");
    for (const text of ["./bin/terraform-provider-my-thing", "./bin"]) {
      expect(await add(text)).toMatchObject({ source: text, type: "my-thing", executable: program });
      expect(await resolveProvider(place().lockFile, text, place())).toBe(program);
    }
    await rm(program);
    const gone = expect.objectContaining({ code: "PROVIDER_MISSING" });
    await expect(resolveProvider(place().lockFile, "./bin", place())).rejects.toEqual(gone);
    await expect(add("./none")).rejects.toEqual(gone);
  });

  test("to a program of another name is refused", async () => {
    await writeFile(join(folder, "thing"), "it");
    await expect(add("./thing")).rejects.toThrow("Rename it to terraform-provider-NAME");
  });
});

describe("an archive", () => {
  const unpacked = async (files: readonly Packed[] | Buffer): Promise<readonly string[]> => {
    const [file, into] = [join(folder, "a.zip"), join(folder, "into")];
    await mkdir(into);
    await writeFile(file, Buffer.isBuffer(files) ? files : zipOf(files));
    await unpack(file, into);
    return (await readdir(into, { recursive: true })).sort();
  };

  test("is unpacked with its folders", async () => {
    expect(
      await unpacked([
        { name: "a/", text: "" },
        { name: "a/b", text: "1" },
        { name: "c/d", text: "2" },
      ]),
    ).toEqual(["a", "a/b", "c", "c/d"]);
  });

  test.each([
    ["leads out of the folder", [{ name: "../evil", text: "1" }]],
    ["has an absolute path", [{ name: "/tmp/evil", text: "1" }]],
    ["has a link", [{ name: "link", text: "/etc/passwd", mode: 0o120777 }]],
    [
      "has a file twice",
      [
        { name: "a", text: "1" },
        { name: "a", text: "2" },
      ],
    ],
    ["is none", Buffer.from("hello")],
    ["is cut", archiveOf({ version: "1.0.0" }, "x").subarray(0, 90)],
  ])("that %s is refused", async (_, files) => {
    await expect(unpacked(files)).rejects.toMatchObject({ code: "PROVIDER_UNVERIFIED" });
    expect(await readdir(folder)).not.toContain("evil");
  });

  test("has the hash that other programs give it", async () => {
    await mkdir(join(folder, "h/b"), { recursive: true });
    await writeFile(join(folder, "h/a"), "");
    await writeFile(join(folder, "h/b/c"), "x");
    const lines = `${sha256(Buffer.from(""))}  a\n${sha256(Buffer.from("x"))}  b/c\n`;
    const hash = Buffer.from(sha256(Buffer.from(lines)), "hex").toString("base64");
    expect(await contentHash(join(folder, "h"))).toBe(`h1:${hash}`);
  });
});
