/** A plan with every kind of entry. */

export const plan = {
  format: 1,
  app: "shop",
  stage: "prod",
  phase: "up",
  counts: { create: 2, update: 2, replace: 1, adopt: 0, unchanged: 41, delete: 2 },
  uncertain: { create: 0, update: 0, replace: 0, adopt: 0, delete: 0 },
  unknown: [
    {
      kind: "cloud:Alarm",
      id: "alarm",
      fqn: "shop/prod/services/recommend/alarm",
      reason: "its parent's handler did not run",
    },
  ],
  kept: [{ kind: "s3:Bucket", id: "backups", fqn: "shop/prod/storage/backups", reason: "protected" }],
  recordOnly: [],
  leftOut: [],
  errors: [],
  state: { lineage: "x", seq: 412, lines: 902, digest: "d", contents: "c" },
};
const sure = { drift: [], certain: true, mayReplace: false };
const deletes = (does: string) => ({
  does,
  uid: "u1",
  digest: "d1",
  output: [
    { path: "/id", old: "legacy-9f2a7d" },
    { path: "/url", old: "https://legacy.shop.example" },
  ],
});
export const actions = [
  {
    kind: "cloud:Service",
    id: "task",
    fqn: "shop/prod/services/recommend/task",
    action: "create",
    reason: "new",
    ...sure,
    changes: [
      { path: "/image", new: "(known after apply)" },
      { path: "/replicas", new: 2 },
      { path: "/environment/MODEL_KEY", new: "(secret)" },
    ],
  },
  {
    kind: "docker:Image",
    id: "image",
    fqn: "shop/prod/services/recommend/image",
    action: "create",
    reason: "new",
    ...sure,
    changes: [{ path: "/context", new: "./recommend" }],
  },
  {
    kind: "cloud:Service",
    id: "task",
    fqn: "shop/prod/services/api/task",
    action: "update",
    reason: "props.replicas, props.script changed",
    ...sure,
    mayReplace: true,
    changes: [
      { path: "/replicas", old: 3, new: 5 },
      {
        path: "/script",
        lines: [
          "  #!/bin/sh",
          "  set -eu",
          "- exec node server.js --port 8080",
          "+ exec node server.js --port 8080 --cluster 5",
        ],
      },
    ],
  },
  {
    kind: "dns:Record",
    id: "www",
    fqn: "shop/prod/dns/www",
    action: "update",
    reason: "it rests on edge/balancer, which is replaced",
    ...sure,
    certain: false,
    changes: [{ path: "/target", old: "lb-1.cloud.example", new: "(known after apply)" }],
  },
  {
    kind: "net:LoadBalancer",
    id: "balancer",
    fqn: "shop/prod/edge/balancer",
    action: "replace",
    reason: "props.scheme changed",
    ...sure,
    changes: [{ path: "/scheme", old: "classic", new: "application" }],
    deletes: deletes("drains and removes lb-1"),
    deletesFirst: ["shop/prod/edge/dns"],
  },
  {
    kind: "cloud:Service",
    id: "task",
    fqn: "shop/prod/services/legacy/task",
    action: "delete",
    reason: "no longer declared",
    ...sure,
    changes: [],
    deletes: deletes("stops legacy-9f2a7d"),
  },
  {
    kind: "sql:Database",
    id: "database",
    fqn: "shop/prod/services/legacy/database",
    action: "delete",
    reason: "no longer declared",
    ...sure,
    changes: [],
    deletes: deletes("runs dropdb legacy"),
  },
];
