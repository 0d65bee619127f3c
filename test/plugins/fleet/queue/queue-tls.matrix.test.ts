/** A queue, and the state, on a Redis Cluster whose nodes speak TLS only and let only one user in. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { until } from "../../../helpers/time/until.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { startRedisCluster } from "../../../servers/redis-cluster.js";
import { Crew, reportOf } from "./crew.js";
import { countIn, madeIn } from "./tenants.js";

const run = promisify(execFile);
const PASSWORD = "p@ss/w:rd";

/** The host of the certificate, and the name by which nodes announce themselves: undefined for their addresses. */
interface Names {
  readonly host?: string;
  readonly name?: string;
  readonly isTrusted?: boolean;
}

describeWithRedis("a queue on a Redis Cluster with TLS and a password", () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function opened({ host = "localhost", name, isTrusted = true }: Names) {
    const folder = await mkdtemp(join(tmpdir(), "fleet-tls-"));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    const subject = ["-subj", "/CN=queue", "-addext", `subjectAltName=DNS:${host}`];
    const files = ["-keyout", key, "-out", cert];
    await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files, ...subject]);
    const guard = { cert, key, user: "ada", password: PASSWORD, ...(name !== undefined && { name }) };
    const cluster = await startRedisCluster(guard);
    ends.push(() => cluster.stop());
    const [node = "", queue = ""] = cluster.urls;
    const settings = { stages: 20, delay: 20, state: join(folder, "state"), world: join(folder, "world") };
    const crew = new Crew(queue, settings, isTrusted ? { NODE_EXTRA_CA_CERTS: cert } : {});
    ends.push(() => crew.end());
    return { cluster, crew, state: `${node}?cluster=true` };
  }

  test.each<readonly [how: string, names: Names]>([
    ["names", { name: "localhost" }],
    ["addresses, which are not in the certificate", {}],
  ])("reaches nodes that announce %s, also for the state, and after all were killed", async (_, names) => {
    const { cluster, crew, state } = await opened(names);
    crew.settings = { ...crew.settings, state };
    const [first, second] = await crew.workers(2);
    const conductor = crew.start("up");
    await until(() => countIn(crew.settings.world) > 3);
    await first?.kill();
    await cluster.restart();
    const third = crew.start("worker");
    const { state: end, stages, failures } = await reportOf(conductor);
    expect([end, failures, stages.changed + stages.unchanged]).toEqual(["done", [], 20]);
    expect(new Set(madeIn(crew.settings.world).map(({ stage, id }) => `${stage}/${id}`)).size).toBe(60);
    for (const one of [first, second, third, conductor])
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)])
        expect(one?.lines.join("\n")).not.toContain(secret);
  });

  test.each<readonly [what: string, names: Names, message: string]>([
    ["is not trusted", { isTrusted: false }, "For a CA of your own, set NODE_EXTRA_CA_CERTS to its file."],
    ["is for another host", { host: "queue.example" }, "The certificate of the server is for another host."],
  ])("refuses a certificate that %s, and says what to do", async (_, names, message) => {
    const { crew } = await opened(names);
    const conductor = crew.start("up");
    expect(await conductor.said("error ")).toContain(message);
  });

  test("names the reason if a node that the cluster announces cannot be reached", async () => {
    const { crew } = await opened({ name: "node-1.invalid", host: "localhost" });
    expect(await crew.start("up").said("error ")).toMatch(/could not be reached: .*node-1\.invalid/);
  });
});
