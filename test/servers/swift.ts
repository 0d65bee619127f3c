/** OpenStack's Swift with its S3 interface: a store that answers 501 to a conditional write. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { openPremises, type Premises } from "./premises.js";
import type { Resident } from "./resident.js";
import type { S3Server } from "./s3-server.js";
import { proxyConf, type RingServer, ringProgram, ringServerConf, swiftConf } from "./swift-conf.js";
import { answersHttp, isUp } from "./up.js";

export const swiftLogin = { accessKeyId: "test:tester", secretAccessKey: "testsecret", region: "us-east-1" };

/**
 * Kills and restarts hit only the server that clients talk to: its acknowledged writes are in the servers behind it.
 */
export async function startSwift(): Promise<S3Server> {
  const premises = await openPremises("swift");
  try {
    return await swiftIn(premises);
  } catch (error) {
    await premises.leave();
    throw error;
  }
}

async function swiftIn(premises: Premises): Promise<S3Server> {
  const place = { ...swiftLogin, folder: premises.folder };
  await mkdir(join(place.folder, "devices", "one"), { recursive: true });
  await writeFile(join(place.folder, "swift.conf"), swiftConf());
  const ring = async (name: RingServer["name"]): Promise<RingServer> => ({ name, port: await freePort() });
  const rings = await Promise.all([ring("account"), ring("container"), ring("object")]);
  // The Python of the packages, whichever comes first in the path.
  await premises.run("/usr/bin/python3", ["-c", ringProgram, ...rings.flatMap(({ name, port }) => [name, `${port}`])]);
  await Promise.all(rings.map((one) => startRing(premises, one, ringServerConf(one, place))));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const conf = join(place.folder, "proxy-server.conf");
  await writeFile(conf, proxyConf(port, place));
  const start = async (): Promise<Resident> => {
    const server = await premises.start("swift-proxy-server", [conf]);
    await isUp(server, () => answersHttp(`${endpoint}/healthcheck`));
    return server;
  };
  let server = await start();
  return {
    ...swiftLogin,
    endpoint,
    kill: () => server.kill(),
    restart: async () => {
      await server.kill();
      server = await start();
    },
    stop: () => premises.leave(),
  };
}

async function startRing(premises: Premises, { name, port }: RingServer, settings: string): Promise<void> {
  const conf = join(premises.folder, `${name}-server.conf`);
  await writeFile(conf, settings);
  const server = await premises.start(`swift-${name}-server`, [conf]);
  await isUp(server, () => answersHttp(`http://127.0.0.1:${port}/recon/version`));
}
