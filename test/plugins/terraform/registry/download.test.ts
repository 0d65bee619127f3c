import { readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { resolveProvider, thisTarget } from "../../../../plugins/terraform/registry/index.js";
import { targetText } from "../../../../plugins/terraform/registry/source.js";
import { archiveOf, newKey, sha256 } from "./local-registry.ts";
import { IMPATIENT, type Workshop, workshop } from "./workshop.ts";

let shop: Workshop | undefined;
afterEach(() => shop?.close());

const system = targetText(thisTarget());
const entry = `HOST/acme/thing/1.2.0/${system}`;
const refused = (code: string, ...texts: readonly string[]) =>
  expect.objectContaining({ code, message: expect.stringMatching(new RegExp(texts.join("[\\s\\S]*"))) });

describe("a provider of a registry", () => {
  test("is found by discovery, verified, unpacked and locked with the hashes of all systems", async () => {
    shop = await workshop();
    const { executable, locked } = await shop.add();
    expect(await readFile(executable, "utf8")).toBe("#!/bin/sh\n# 1.2.0\n");
    expect(await shop.cached()).toEqual([`${entry}/files/LICENSE`, `${entry}/files/terraform-provider-thing_v1.2.0`]);
    expect(locked).toMatchObject({ version: "1.2.0", range: "^1.2.0", protocols: ["5.0"] });
    expect(JSON.parse(await shop.lock())).toEqual({
      providers: {
        [shop.name]: {
          range: "^1.2.0",
          version: "1.2.0",
          protocols: ["5.0"],
          signedBy: expect.stringMatching(/^[0-9a-f]{16}$/),
          hashes: [
            expect.stringMatching(/^h1:/),
            ...[sha256(archiveOf({ version: "1.2.0" }, "thing")), sha256(Buffer.from("1.2.0"))]
              .sort()
              .map((sum) => `zh:${sum}`),
          ],
        },
      },
    });
  });

  test("is downloaded by the lock file where the cache has none", async () => {
    shop = await workshop();
    const { executable } = await shop.add();
    const root = join(shop.folder, "other");
    expect(await resolveProvider(shop.lockFile, shop.name, { root })).toBe(executable.replace(shop.root, root));
  });

  test("is downloaded again if it was replaced with another program of the same size and times", async () => {
    shop = await workshop();
    const { executable } = await shop.add();
    const text = await readFile(executable, "utf8");
    const { atime, mtime } = await stat(executable);
    await writeFile(executable, text.replace("1.2.0", "evil!"));
    await utimes(executable, atime, mtime);
    expect(await readFile(await resolveProvider(shop.lockFile, shop.name, shop), "utf8")).toBe(text);
    await writeFile(executable, text.replace("1.2.0", "evil!"));
    expect(await readFile((await shop.add()).executable, "utf8")).toBe(text);
  });

  test("is not taken from the cache by a lock file that knows the archive alone, which then learns what is in it", async () => {
    shop = await workshop();
    const { executable } = await shop.add();
    const text = await readFile(executable, "utf8");
    const whole = await shop.lock();
    await writeFile(shop.lockFile, whole.replace(/\s*"h1:[^"]+",/, ""));
    await writeFile(executable, text.replace("1.2.0", "evil!"));
    expect(await readFile(await resolveProvider(shop.lockFile, shop.name, shop), "utf8")).toBe(text);
    expect(await shop.lock()).toBe(whole);
    const asked = shop.registry.paths.length;
    await resolveProvider(shop.lockFile, shop.name, shop);
    expect(shop.registry.paths.length).toBe(asked);
  });

  test("is the newest in the range that is there for this system and speaks a protocol that is known", async () => {
    shop = await workshop([
      { version: "1.2.0" },
      { version: "1.3.0" },
      { version: "1.4.0", targets: [{ os: "plan9", arch: "mips" }] },
      { version: "1.5.0", protocols: ["4.0"] },
      { version: "1.6.0-beta1" },
      { version: "2.0.0", protocols: ["6.0"] },
    ]);
    expect((await shop.add("~> 1.2")).locked.version).toBe("1.3.0");
    expect((await shop.add()).locked.version).toBe("1.3.0");
    expect((await shop.add("*")).locked.version).toBe("2.0.0");
    await expect(shop.add("1.4.0")).rejects.toEqual(refused("PROVIDER_MISSING", "1.4.0", system, "plan9_mips"));
    await expect(shop.add("1.5.0")).rejects.toEqual(refused("PROVIDER_MISSING", "protocol 5 or 6"));
    await expect(shop.add("^3")).rejects.toEqual(refused("PROVIDER_MISSING", '"\\^3"', "2.0.0, 1.6.0-beta1, 1.5.0"));
  });
});

describe("nothing is kept, and the error says what, where and what to do,", () => {
  test("where the archive has another hash", async () => {
    shop = await workshop();
    shop.registry.swapped = archiveOf({ version: "1.2.0", text: "evil" }, "thing");
    await expect(shop.add()).rejects.toEqual(
      refused("PROVIDER_UNVERIFIED", "http://127", "SHA-256", "Nothing was kept"),
    );
    expect(await shop.cached()).toEqual([]);
    await expect(shop.lock()).rejects.toThrow("ENOENT");
  });

  test("where the registry says another hash than the signed sums", async () => {
    shop = await workshop();
    shop.registry.fault = (path, response) => {
      if (!path.endsWith("/sums")) return false;
      response.end(`${"0".repeat(64)}  terraform-provider-thing_1.2.0_${system}.zip\n`);
      return true;
    };
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_UNVERIFIED", "/sums"));
    expect(await shop.cached()).toEqual([]);
  });

  test("where the signature is of something else, or is none", async () => {
    shop = await workshop([{ version: "1.2.0" }, { version: "1.1.0" }]);
    const { registry } = shop;
    registry.fault = (path, response) => {
      if (path !== "/files/1.2.0/sums.sig") return false;
      response.writeHead(302, { location: "/files/1.1.0/sums.sig" }).end();
      return true;
    };
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_UNVERIFIED", "not signed with a key of"));
    registry.fault = (path, response) => path.endsWith(".sig") && Boolean(response.end("garbage"));
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_UNVERIFIED", "not signed with a key of"));
    expect(await shop.cached()).toEqual([]);
  });

  test("where it is signed by a key that the registry does not know, or the registry has none", async () => {
    shop = await workshop();
    shop.registry.keys = [(await newKey("somebody")).publicKey];
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_UNVERIFIED", "not signed with a key of"));
    shop.registry.keys = [];
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_UNVERIFIED", "has no signing key"));
    expect(await shop.cached()).toEqual([]);
  });

  test("where the lock file means another one", async () => {
    shop = await workshop();
    await shop.add();
    const other = (await shop.lock()).replaceAll(/"(zh|h1):[^"]+"/g, `"zh:${"0".repeat(64)}"`);
    await writeFile(shop.lockFile, other);
    const root = join(shop.folder, "other");
    for (const place of [root, shop.root]) {
      await expect(resolveProvider(shop.lockFile, shop.name, { root: place })).rejects.toEqual(
        refused("PROVIDER_UNVERIFIED", "differs from the lock file", 'remove ".*/acme/thing" from the lock file'),
      );
    }
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_UNVERIFIED", "differs from the lock file"));
    await writeFile(shop.lockFile, JSON.stringify({ providers: {} }));
    expect((await shop.add()).locked.version).toBe("1.2.0");
  });

  test("where the download is cut again and again", async () => {
    shop = await workshop();
    shop.registry.fault = (path, response) => {
      if (!path.endsWith(".zip")) return false;
      response.writeHead(200, { "content-length": "1000" }).write("PK");
      setImmediate(() => response.destroy());
      return true;
    };
    await expect(shop.add()).rejects.toEqual(
      refused("PROVIDER_MISSING", "The archive of", "\\.zip", "Try again later"),
    );
    expect(shop.registry.paths.filter((path) => path.endsWith(".zip"))).toHaveLength(IMPATIENT.attempts);
    expect(await shop.cached()).toEqual([]);
  });

  test("where the server falls silent in the middle", async () => {
    shop = await workshop();
    shop.registry.fault = (path, response) =>
      path.endsWith(".zip") && response.writeHead(200, { "content-length": "1000" }).write("PK");
    // It also holds for the earlier requests, which are answered.
    const patience = { attempts: 1, pause: 1, silence: 500 };
    await expect(shop.add("*", { patience })).rejects.toEqual(
      refused("PROVIDER_MISSING", "The archive of", "\\.zip", "nothing came for 0\\.5 s"),
    );
    expect(shop.registry.paths.filter((path) => path.endsWith(".zip"))).toHaveLength(1);
    expect(await shop.cached()).toEqual([]);
  });

  test("where there is no such provider, version or registry", async () => {
    shop = await workshop();
    const { registry } = shop;
    registry.fault = (path, response) => path.endsWith("/versions") && Boolean(response.writeHead(404).end());
    await expect(shop.add()).rejects.toEqual(
      refused("PROVIDER_MISSING", "answered 404", "Check the namespace and the name"),
    );
    registry.fault = (path, response) => path.includes("/download/") && Boolean(response.writeHead(410).end());
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_MISSING", "answered 410", "Choose another version"));
    registry.fault = (path, response) => path.includes("/.well-known/") && Boolean(response.end("<html>"));
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_MISSING", "not a JSON object"));
    registry.fault = (path, response) => path.includes("/.well-known/") && Boolean(response.end('{"modules.v1":"/"}'));
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_MISSING", 'lists no service "providers.v1"'));
  });

  test("where redirects go round in circles, or away from https", async () => {
    shop = await workshop();
    const { registry } = shop;
    const to = (location: string) => {
      registry.fault = (path, response) =>
        path.endsWith(".zip") && Boolean(response.writeHead(302, { location }).end());
    };
    to("?again.zip");
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_MISSING", "more than 10 times"));
    to("http://files.example/thing.zip");
    await expect(shop.add()).rejects.toEqual(refused("PROVIDER_UNVERIFIED", "not an https address"));
    expect(await shop.cached()).toEqual([]);
  });

  test("where it is too large, packed or unpacked", async () => {
    shop = await workshop();
    await expect(shop.add("*", { mostBytes: 100 })).rejects.toEqual(refused("PROVIDER_UNVERIFIED", "larger than"));
    const unpackLimits = { entries: 1, bytes: 1e6 };
    await expect(shop.add("*", { unpackLimits })).rejects.toEqual(refused("PROVIDER_UNVERIFIED", "more than 1 file"));
    await expect(shop.add("*", { unpackLimits: { entries: 9, bytes: 9 } })).rejects.toEqual(
      refused("PROVIDER_UNVERIFIED", "more than 9 bytes"),
    );
    expect(await shop.cached()).toEqual([]);
  });

  test("where the run is interrupted", async () => {
    shop = await workshop();
    const stop = new AbortController();
    shop.registry.fault = (path, response) => path.endsWith(".zip") && response.writeHead(200).write("PK");
    const added = shop.add("*", { signal: stop.signal });
    await shop.registry.asked(".zip");
    stop.abort(new Error("interrupted"));
    await expect(added).rejects.toThrow("interrupted");
    expect(await shop.cached()).toEqual([]);
  });
});

test("a server that is busy at first is asked again", async () => {
  shop = await workshop();
  shop.registry.fault = (_, response, count) => count < 3 && Boolean(response.writeHead(count === 1 ? 500 : 429).end());
  expect((await shop.add()).locked.version).toBe("1.2.0");
});

test("an unsigned version is not taken after a signed one", async () => {
  shop = await workshop();
  const { locked } = await shop.add();
  expect(locked.signedBy).toBeDefined();
  const { takeVersion } = await import("../../../../plugins/terraform/registry/add-provider.ts");
  shop.registry.keys = [];
  const [address, before] = [{ host: shop.registry.host, namespace: "acme", type: "thing" }, locked];
  await expect(takeVersion({ address, version: "1.2.0", range: "*", before }, shop)).rejects.toEqual(
    refused("PROVIDER_UNVERIFIED"),
  );
});

test("a version that is signed with another key than the one before is taken only after a yes", async () => {
  shop = await workshop();
  const { locked } = await shop.add();
  const { takeVersion } = await import("../../../../plugins/terraform/registry/add-provider.ts");
  const address = { host: shop.registry.host, namespace: "acme", type: "thing" };
  const taking = { address, version: "1.2.0", range: "*", before: { ...locked, signedBy: "0".repeat(16) } };
  await expect(takeVersion(taking, shop)).rejects.toEqual(
    refused("PROVIDER_UNVERIFIED", "0{16}", "at a terminal and accept the new key"),
  );
  const asked: string[] = [];
  const answers = (answer: boolean) => async (question: string) => {
    asked.push(question);
    return answer;
  };
  await expect(takeVersion(taking, { ...shop, acceptsKey: answers(false) })).rejects.toEqual(
    refused("PROVIDER_UNVERIFIED"),
  );
  const taken = await takeVersion(taking, { ...shop, acceptsKey: answers(true) });
  expect(taken.locked.signedBy).toBe(locked.signedBy);
  expect(asked).toEqual(Array(2).fill(expect.stringMatching(new RegExp(`${locked.signedBy}.*0{16}.*\\?$`))));
});
