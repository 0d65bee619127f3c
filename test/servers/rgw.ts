/** A real S3 of a test's own: Ceph's gateway, with a cluster of one disk in memory. */
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cephConf } from "./ceph-conf.js";
import { freePort } from "./free-port.js";
import { openPremises, type Premises } from "./premises.js";
import type { Resident } from "./resident.js";
import type { S3Server } from "./s3-server.js";
import { answersHttp, isUp } from "./up.js";

const accessKeyId = "test";
const secretAccessKey = "testsecret";
const gateway = ["--no-mon-config", "-n", "client.rgw.a"];

/** Kills and restarts hit only the gateway: its acknowledged writes are in the cluster. */
export async function startRgw(): Promise<S3Server> {
  const premises = await openPremises("rgw");
  try {
    return await gatewayIn(premises);
  } catch (error) {
    await premises.leave();
    throw error;
  }
}

async function gatewayIn(premises: Premises): Promise<S3Server> {
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()];
  const conf = await startCluster(premises, monitorPort, gatewayPort);
  const endpoint = `http://127.0.0.1:${gatewayPort}`;
  const start = async (): Promise<Resident> => {
    const server = await premises.start("radosgw", [...conf, ...gateway, "-f"]);
    await isUp(server, () => answersHttp(endpoint));
    return server;
  };
  let server = await start();
  const user = ["--uid=test", "--display-name=test", `--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
  await premises.run("radosgw-admin", [...conf, ...gateway, "user", "create", ...user]);
  return {
    endpoint,
    region: "us-east-1",
    accessKeyId,
    secretAccessKey,
    kill: () => server.kill(),
    restart: async () => {
      await server.kill();
      server = await start();
    },
    stop: () => premises.leave(),
  };
}

/** Resolves with the arguments that lead Ceph's programs to the cluster. */
async function startCluster(premises: Premises, monitorPort: number, gatewayPort: number): Promise<string[]> {
  const { folder } = premises;
  const [fsid, disk] = [randomUUID(), randomUUID()];
  await Promise.all(["mon", "osd", "run", "log"].map((name) => mkdir(join(folder, name))));
  const conf = ["-c", join(folder, "ceph.conf")];
  await writeFile(join(folder, "ceph.conf"), cephConf({ folder, fsid, monitorPort, gatewayPort }));

  const map = join(folder, "monmap");
  await premises.run("monmaptool", ["--create", "--addv", "a", `[v1:127.0.0.1:${monitorPort}]`, "--fsid", fsid, map]);
  await Promise.all([
    premises.run("ceph-mon", [...conf, "-i", "a", "--mkfs", "--monmap", map]),
    premises.run("ceph-osd", [...conf, "--no-mon-config", "-i", "0", "--mkfs", "--osd-uuid", disk]),
  ]);
  const monitor = await premises.start("ceph-mon", [...conf, "-i", "a", "-f"]);
  // It refuses commands while it starts; announcing the same disk twice is harmless.
  const osdNew = ["--connect-timeout", "20", "osd", "new", disk, "0"];
  await isUp(monitor, () => premises.run("ceph", [...conf, ...osdNew]).then(() => true));
  await premises.start("ceph-osd", [...conf, "--no-mon-config", "-i", "0", "-f"]);
  return conf;
}
