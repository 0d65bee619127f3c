/** Gives all test files of a run one server of each kind, started at the first request. */
import { compilePrograms } from "./compiled.js";
import { type Answer, openDesk } from "./desk.js";
import { lacking } from "./install.js";
import {
  ageNeeds,
  browserNeeds,
  goNeeds,
  type Needs,
  postgresNeeds,
  rabbitmqNeeds,
  redisNeeds,
  rgwNeeds,
  shellNeeds,
  sshNeeds,
  swiftNeeds,
  tmuxNeeds,
} from "./needs.js";
import { installPacked, unpackable } from "./packed.js";
import { startPostgres } from "./postgres.js";
import { startRabbitmq } from "./rabbitmq.js";
import { startRedis } from "./redis.js";
import { startRgw } from "./rgw.js";
import { startSwift } from "./swift.js";
import { postgresVariables, rabbitmqVariables, redisVariables, s3Variables } from "./variables.js";

interface Stoppable {
  stop(): Promise<void>;
}

/** Vitest calls it before the first test file, and the returned function after the last one. */
export async function setup(): Promise<() => Promise<void>> {
  // Another kind of test files of the same run has set it.
  if (process.env.TEST_SERVERS !== undefined) return async () => {};
  const started: Stoppable[] = [];
  // One after the other: two installations at once would wait for each other anyway.
  let installing: Promise<unknown> = Promise.resolve();

  const offer = async (
    what: string,
    needs: Needs,
    start: () => Promise<Stoppable & { settings: Readonly<Record<string, string>> }>,
  ): Promise<Answer> => {
    const lack = installing.then(() => lacking(needs, process.env));
    installing = lack.catch(() => {});
    const lacks = await lack;
    if (lacks !== undefined) {
      process.stderr.write(`Tests that need ${what} are skipped: ${lacks}.\n`);
      return { lacks };
    }
    const server = await start();
    started.push(server);
    return { settings: server.settings };
  };

  const desk = await openDesk({
    packed: async () => {
      const lacks = unpackable();
      if (lacks !== undefined) return { lacks };
      const packed = await installPacked();
      started.push(packed);
      return { settings: packed.settings };
    },
    compiled: async () => {
      const compiled = await compilePrograms();
      started.push(compiled);
      return { settings: compiled.settings };
    },
    postgres: () =>
      offer("PostgreSQL", postgresNeeds, async () => {
        const server = await startPostgres();
        return { settings: postgresVariables(server), stop: server.stop };
      }),
    rabbitmq: () =>
      offer("RabbitMQ", rabbitmqNeeds, async () => {
        const server = await startRabbitmq();
        return { settings: rabbitmqVariables(server), stop: server.stop };
      }),
    redis: () =>
      offer("Redis", redisNeeds, async () => {
        const server = await startRedis();
        return { settings: redisVariables(server), stop: server.stop };
      }),
    s3: () =>
      offer("S3", rgwNeeds, async () => {
        const server = await startRgw();
        return { settings: s3Variables(server), stop: server.stop };
      }),
    swift: () =>
      offer("Swift", swiftNeeds, async () => {
        const server = await startSwift();
        return { settings: { TEST_SWIFT_ENDPOINT: server.endpoint }, stop: server.stop };
      }),
    // Programs that each test starts by itself.
    shells: () => offer("other shells", shellNeeds, async () => ({ settings: {}, stop: async () => {} })),
    age: () => offer("age", ageNeeds, async () => ({ settings: {}, stop: async () => {} })),
    go: () => offer("Go", goNeeds, async () => ({ settings: {}, stop: async () => {} })),
    tmux: () => offer("a terminal", tmuxNeeds, async () => ({ settings: {}, stop: async () => {} })),
    browser: () => offer("a browser", browserNeeds, async () => ({ settings: {}, stop: async () => {} })),
    ssh: () => offer("an SSH server", sshNeeds, async () => ({ settings: {}, stop: async () => {} })),
  });
  process.env.TEST_SERVERS = desk.path;
  return async () => {
    await desk.close();
    await Promise.all(started.map((server) => server.stop()));
  };
}
