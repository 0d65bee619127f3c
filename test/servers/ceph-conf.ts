/**
 * The settings of a Ceph cluster of one monitor and one disk in memory, made for tests: fast to start, nothing kept.
 */

export interface CephPlace {
  readonly folder: string;
  /** Identifies the cluster: a UUID. */
  readonly fsid: string;
  readonly monitorPort: number;
  readonly gatewayPort: number;
}

export function cephConf({ folder, fsid, monitorPort, gatewayPort }: CephPlace): string {
  return text({
    global: {
      fsid,
      "mon host": `v1:127.0.0.1:${monitorPort}`,
      "mon initial members": "a",
      // It uses the loopback interface only, and exists for a moment, so it needs no authentication.
      "auth cluster required": "none",
      "auth service required": "none",
      "auth client required": "none",
      "auth allow insecure global id reclaim": true,
      keyring: "/dev/null",
      "public addr": "127.0.0.1",
      "cluster addr": "127.0.0.1",
      "ms bind msgr2": false,
      "ms bind ipv6": false,
      // Everything that it writes is in the folder.
      "run dir": `${folder}/run`,
      "crash dir": `${folder}/run`,
      "admin socket": `${folder}/run/$name.$pid.asok`,
      "pid file": `${folder}/run/$name.pid`,
      "log file": `${folder}/log/$name.log`,
      "mon cluster log file": `${folder}/log/cluster.log`,
      "log to stderr": false,
      "heartbeat file": "",
      // One copy on one disk, without a warning about that.
      "osd pool default size": 1,
      "osd pool default min size": 1,
      "osd pool default pg num": 1,
      "osd pool default pg autoscale mode": "off",
      "osd crush chooseleaf type": 0,
      "osd crush update on start": true,
      "mon allow pool size one": true,
      "mon warn on pool no redundancy": false,
      "mon osd down out interval": 0,
      // The monitor gathers changes for a second by default; the gateway makes its pools one after the other.
      "paxos propose interval": 0.01,
      "paxos min wait": 0.01,
      // Several clusters start at once, each before the other's ports and its own monitor are available.
      "ms bind retry delay": 0,
      "mon client hunt interval": 0.5,
      "osd memory target": 939_524_096,
      "memstore device bytes": 2_147_483_648,
    },
    "mon.a": { "mon data": `${folder}/mon` },
    "osd.0": { "osd data": `${folder}/osd`, "osd objectstore": "memstore" },
    "client.rgw.a": {
      "rgw frontends": `beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1`,
      "rgw dns name": "localhost",
      "rgw enable usage log": false,
      "rgw thread pool size": 64,
      "debug rgw": 0,
    },
  });
}

function text(sections: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>): string {
  return Object.entries(sections)
    .map(([name, settings]) => {
      const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}\n`);
      return `[${name}]\n${lines.join("")}`;
    })
    .join("");
}
