import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PEERS } from "../servers/packed.ts";
import { type Consumer, copyOfInstalled } from "./consumer.ts";
import { describePacked } from "./given-packed.ts";
import { loadable } from "./loadable.ts";
import { oneFile } from "./one-file.ts";

const names = loadable.map(({ specifier }) => specifier);

describePacked("the installed package", ({ packages }) => {
  let consumer: Consumer;

  beforeAll(async () => {
    consumer = await copyOfInstalled(packages, PEERS);
  });
  afterAll(() => consumer?.remove());

  test("runs a program, and runs it again", async () => {
    await consumer.write("app.mjs", oneFile);
    for (const _ of [1, 2]) {
      const { exitCode, stdout, stderr } = await consumer.node("app.mjs");
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toContain("hello.txt");
      expect(await readFile(join(consumer.folder, "hello.txt"), "utf8")).toBe("hello");
    }
    expect(existsSync(join(consumer.folder, ".engine"))).toBe(true);
  });

  test("loads by each of its names, without packages of AWS, Redis or PostgreSQL", async () => {
    for (const driver of ["@aws-sdk", "@keyv/redis", "@redis", "pg"]) {
      expect(existsSync(join(consumer.folder, "node_modules", driver))).toBe(false);
    }
    await consumer.write("all.mjs", names.map((name) => `await import("${name}");`).join("\n"));
    expect(await consumer.node("all.mjs")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("keeps its insides to itself", async () => {
    const hidden = {
      "adapters/kit": "ERR_MODULE_NOT_FOUND",
      "adapters/s3/client": "ERR_MODULE_NOT_FOUND",
      "plugins/resources": "ERR_PACKAGE_PATH_NOT_EXPORTED",
      "core/engine": "ERR_PACKAGE_PATH_NOT_EXPORTED",
    };
    const tries = Object.keys(hidden).map(
      (path) => `await import("scope-engine/${path}").catch(({ code }) => console.log("${path}", code));`,
    );
    await consumer.write("insides.mjs", tries.join("\n"));
    const { stdout } = await consumer.node("insides.mjs");
    expect(stdout.trim().split("\n")).toEqual(Object.entries(hidden).map((told) => told.join(" ")));
  });
});
