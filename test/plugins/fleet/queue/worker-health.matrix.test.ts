/** The health check of a worker while its Redis goes and comes back. */
import { afterEach, expect, test } from "vitest";
import { lacksPackage, type Project } from "../../../helpers/processes/engine-project.js";
import { builtMain, projectWithPeers } from "../../../helpers/processes/project-with-peers.js";
import { type CliSession, startSession } from "../../../helpers/terminal/cli-session.js";
import { until } from "../../../helpers/time/until.js";
import { describeUnless } from "../../../servers/given.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { startRedis } from "../../../servers/redis.js";
import { fleetProgram } from "../../cli/fleet-program.js";

const FILE = "tenants.run.mjs";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function started(project: Project, env: Readonly<Record<string, string>>, ...args: string[]): CliSession {
  const session = startSession(project, args, { env: { ENGINE_STAGE: "", ...env }, program: [builtMain] });
  ends.push(() => session.leave());
  return session;
}

describeUnless(lacksPackage, "a worker", () => {
  describeWithRedis("whose Redis stops and starts", () => {
    test("answers 503, then 200 again, and takes the stages of the next run", async () => {
      const redis = await startRedis({ args: ["--appendonly", "yes"] });
      ends.push(() => redis.stop());
      const project = await projectWithPeers({ [FILE]: fleetProgram });
      ends.push(() => project.remove());
      const worker = started(project, {}, "worker", FILE, "--queue", redis.url, "--health", "0");
      const url = `http://127.0.0.1:${await worker.next("health: http://127.0.0.1:")}`;
      const health = async (): Promise<string> => {
        const answer = await fetch(url);
        return `${answer.status} ${(await answer.json()).state}`;
      };
      await until(health, (answer) => answer === "200 working");
      const first = started(project, {}, "fleet", "up", FILE, "--queue", redis.url);
      expect((await first.ended).code).toBe(0);

      await redis.kill();
      await until(health, (answer) => answer === "503 disconnected");
      await redis.restart();
      await until(health, (answer) => answer === "200 working");
      const second = started(project, { STAGES: "dora emil" }, "fleet", "up", FILE, "--queue", redis.url);
      expect((await second.ended).code).toBe(0);
      expect(worker.output).toContain("tenants/dora");
      expect(worker.output).toContain("tenants/emil");
    });
  });
});
