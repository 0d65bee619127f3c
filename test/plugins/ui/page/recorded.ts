/** Records of generated stages, the same each time. */

export const HOSTILE = '<img src=x onerror="globalThis.hacked=1">';
const STAGES = ["dev", "prod", "staging"];

export interface Recorded {
  readonly path: string;
  readonly kind: string;
  readonly status: "ready" | "creating" | "updating" | "deleting";
  readonly error?: string;
  /** Message of its last delete, which failed. */
  readonly notDeleted?: string;
  readonly isProtected?: boolean;
  readonly isReplaced?: boolean;
  readonly needs?: readonly string[];
}

const services = ["api", "billing", "catalog", "checkout", "search", "web"];

const shop: readonly Recorded[] = [
  { path: "dns/zone", kind: "dns:Zone", status: "ready", isProtected: true },
  { path: "dns/www", kind: "dns:Record", status: "ready", needs: ["dns/zone", "edge/balancer"] },
  {
    path: "edge/balancer",
    kind: "net:LoadBalancer",
    status: "ready",
    needs: ["net/public", ...services.map((one) => `services/${one}/task`)],
  },
  {
    path: "edge/certificate",
    kind: "tls:Certificate",
    status: "updating",
    error: "The challenge was not answered: DNS problem: NXDOMAIN looking up TXT for _acme-challenge.shop.example",
    needs: ["dns/zone"],
  },
  { path: "net/private", kind: "net:Subnet", status: "ready", needs: ["net/vpc"] },
  { path: "net/public", kind: "net:Subnet", status: "ready", needs: ["net/vpc"] },
  { path: "net/vpc", kind: "net:Network", status: "ready" },
  ...services.flatMap((name): Recorded[] => [
    { path: `services/${name}/config`, kind: "fs:File", status: "ready", needs: ["storage/database"] },
    { path: `services/${name}/image`, kind: "docker:Image", status: "ready" },
    { path: `services/${name}/logs`, kind: "cloud:LogGroup", status: "ready" },
    { path: `services/${name}/role`, kind: "iam:Role", status: "ready" },
    { path: `services/${name}/secret`, kind: "engine:Password", status: "ready" },
    {
      path: `services/${name}/task`,
      kind: "cloud:Service",
      status: "ready",
      needs: [
        ...["config", "image", "logs", "role", "secret"].map((part) => `services/${name}/${part}`),
        "net/private",
        "storage/database",
      ],
    },
  ]),
  { path: "storage/assets", kind: "s3:Bucket", status: "ready", isProtected: true },
  { path: "storage/backups", kind: "s3:Bucket", status: "ready", isProtected: true },
  { path: "storage/database", kind: "sql:Database", status: "ready", isProtected: true, needs: ["net/private"] },
  { path: "storage/queue", kind: "cloud:Queue", status: "creating", error: "Error: 429 Too Many Requests" },
  { path: "storage/queue-old", kind: "cloud:Queue", status: "deleting", isReplaced: true },
];

const hostile: readonly Recorded[] = [
  { path: HOSTILE, kind: "<script>globalThis.hacked=1</script>", status: "ready" },
  { path: "\u202egnp.exe\u0000\u001b[31m", kind: "x\ny", status: "creating", error: `${HOSTILE}\u0000\u202e` },
  { path: "javascript:alert(1)", kind: "a:B", status: "ready", notDeleted: HOSTILE },
  { path: `long/${"x".repeat(20_000)}`, kind: "a:B", status: "ready" },
];

const words = ["bin", "dock", "lane", "rack", "shelf"];
let load: readonly Recorded[] | undefined;

function loaded(): readonly Recorded[] {
  load ??= Array.from({ length: 100_000 }, (_, index): Recorded => {
    const scope = `hall-${`${Math.floor(index / 2_000)}`.padStart(2, "0")}/aisle-${`${Math.floor(index / 100) % 20}`.padStart(2, "0")}`;
    return {
      path: `${scope}/item-${`${index}`.padStart(6, "0")}`,
      kind: `warehouse:${words[index % words.length]}`,
      status: index % 10_000 === 77 ? "updating" : "ready",
    };
  });
  return load;
}

export function recordedIn(app: string, stage: string): readonly Recorded[] | undefined {
  const name = `${app}/${stage}`;
  if (name === "warehouse/load") return loaded();
  if (app === HOSTILE) return hostile;
  if (name === "shop/empty") return [];
  return app === "shop" && STAGES.includes(stage) ? shop : undefined;
}
