/** The settings of OpenStack's Swift with its S3 interface: one device, each ring with one copy, no cache. */

export interface SwiftPlace {
  readonly folder: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** A server of a ring, and the port that it listens on. */
export interface RingServer {
  readonly name: "account" | "container" | "object";
  readonly port: number;
}

/**
 * Makes the rings of the servers that its arguments name, each with its port. swift-ring-builder would have to be
 * started three times a ring, which takes longer than all the rest.
 */
export const ringProgram = `
import sys
from swift.common.ring import RingBuilder
for name, port in zip(sys.argv[1::2], sys.argv[2::2]):
    builder = RingBuilder(1, 1, 0)
    place = {"ip": "127.0.0.1", "port": int(port), "replication_ip": "127.0.0.1", "replication_port": int(port)}
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1, "device": "one", "meta": "", **place})
    builder.rebalance()
    builder.get_ring().save(name + ".ring.gz")
`;

export function swiftConf(): string {
  return `[swift-hash]
swift_hash_path_suffix = test
swift_hash_path_prefix = test
[storage-policy:0]
name = only
default = yes
`;
}

export function ringServerConf({ name, port }: RingServer, { folder }: SwiftPlace): string {
  return `${common(port, folder)}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`;
}

const filters = ["catch_errors", "gatekeeper", "healthcheck", "cache", "listing_formats", "s3api", "tempauth", "bulk"];
const layers = ["copy", "slo", "dlo", "versioned_writes", "proxy_logging"];

export function proxyConf(port: number, { folder, accessKeyId, secretAccessKey, region }: SwiftPlace): string {
  // An S3 key id is account:user here.
  const user = accessKeyId.replace(":", "_");
  const settings: Readonly<Record<string, string>> = {
    // Nothing listens there: values that are not cached are looked up.
    cache: "use = egg:swift#memcache\nmemcache_servers = 127.0.0.1:1",
    s3api: `use = egg:swift#s3api\ns3_acl = false\nlocation = ${region}\ncheck_bucket_owner = false`,
    tempauth: `use = egg:swift#tempauth\nuser_${user} = ${secretAccessKey} .admin`,
    versioned_writes: "use = egg:swift#versioned_writes\nallow_versioned_writes = true",
  };
  const pipeline = [...filters, ...layers];
  const sections = pipeline.map((name) => `[filter:${name}]\n${settings[name] ?? `use = egg:swift#${name}`}\n`);
  return `${common(port, folder)}
[pipeline:main]
pipeline = ${pipeline.join(" ")} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
${sections.join("")}`;
}

function common(port: number, folder: string): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = root
swift_dir = ${folder}
workers = 0
log_level = ERROR`;
}
