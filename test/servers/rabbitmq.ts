/** A real RabbitMQ server of a test's own, with the management API. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  epmdArguments,
  RABBITMQ,
  type RabbitmqPorts,
  rabbitmqEnvironment,
  rabbitmqFiles,
} from "../../docs/examples/tenants/servers/rabbitmq.ts";
import { freePort } from "./free-port.js";
import { openPremises } from "./premises.js";
import { isUp } from "./up.js";

export interface RabbitmqServer {
  /** Of the management API, with user and password of an administrator. */
  readonly url: string;
  /** Of the server, and of the program that tells nodes the ports of others. */
  readonly pids: readonly number[];
  readonly folder: string;
  /** Ends it and removes all its data. */
  stop(): Promise<void>;
}

export async function startRabbitmq(): Promise<RabbitmqServer> {
  const premises = await openPremises("rabbitmq");
  try {
    const ports = await differentPorts();
    const login = { user: "admin", password: "s3cr3t-mq" };
    for (const [name, content] of Object.entries(rabbitmqFiles(ports))) {
      await writeFile(join(premises.folder, name), content);
    }
    const mapper = await premises.start("epmd", epmdArguments(ports));
    const administrator = { RABBITMQ_DEFAULT_USER: login.user, RABBITMQ_DEFAULT_PASS: login.password };
    const env = { ...rabbitmqEnvironment(premises.folder, ports), ...administrator };
    const server = await premises.start(RABBITMQ, [], { env });
    const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
    await isUp(server, async () => {
      // The management API listens before the broker is complete.
      const response = await fetch(`http://127.0.0.1:${ports.management}/api/health/checks/virtual-hosts`, {
        headers: { authorization },
      });
      await response.arrayBuffer();
      return response.ok;
    });
    return {
      url: `http://${login.user}:${login.password}@127.0.0.1:${ports.management}`,
      pids: [server.pid, mapper.pid],
      folder: premises.folder,
      stop: () => premises.leave(),
    };
  } catch (error) {
    await premises.leave();
    throw error;
  }
}

async function differentPorts(): Promise<RabbitmqPorts> {
  const [amqp, management, distribution, epmd] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const ports = { amqp, management, distribution, epmd };
  return new Set(Object.values(ports)).size === 4 ? ports : differentPorts();
}
