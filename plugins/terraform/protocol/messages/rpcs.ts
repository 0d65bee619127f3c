import type { MessageName } from "./descriptors.js";

interface RpcRow {
  /** Both names, for protocol 5 and 6, if they differ. */
  readonly names: string | readonly [five: string, six: string];
  readonly request: MessageName;
  readonly response: MessageName;
}

/** The RPCs of a provider. */
export const RPCS = {
  schema: { names: ["GetSchema", "GetProviderSchema"], request: "Empty", response: "SchemaResponse" },
  validateProvider: {
    names: ["PrepareProviderConfig", "ValidateProviderConfig"],
    request: "ValidateProviderRequest",
    response: "ValidateProviderResponse",
  },
  validateResource: {
    names: ["ValidateResourceTypeConfig", "ValidateResourceConfig"],
    request: "ValidateRequest",
    response: "DiagnosticsResponse",
  },
  validateDataSource: {
    names: ["ValidateDataSourceConfig", "ValidateDataResourceConfig"],
    request: "ValidateRequest",
    response: "DiagnosticsResponse",
  },
  validateEphemeral: {
    names: "ValidateEphemeralResourceConfig",
    request: "ValidateRequest",
    response: "DiagnosticsResponse",
  },
  configure: {
    names: ["Configure", "ConfigureProvider"],
    request: "ConfigureRequest",
    response: "DiagnosticsResponse",
  },
  upgrade: { names: "UpgradeResourceState", request: "UpgradeRequest", response: "UpgradeResponse" },
  read: { names: "ReadResource", request: "ReadRequest", response: "ReadResponse" },
  plan: { names: "PlanResourceChange", request: "PlanRequest", response: "PlanResponse" },
  apply: { names: "ApplyResourceChange", request: "ApplyRequest", response: "ApplyResponse" },
  import: { names: "ImportResourceState", request: "ImportRequest", response: "ImportResponse" },
  move: { names: "MoveResourceState", request: "MoveRequest", response: "MoveResponse" },
  readDataSource: { names: "ReadDataSource", request: "ReadDataRequest", response: "ReadDataResponse" },
  openEphemeral: { names: "OpenEphemeralResource", request: "OpenRequest", response: "OpenResponse" },
  renewEphemeral: { names: "RenewEphemeralResource", request: "PrivateRequest", response: "RenewResponse" },
  closeEphemeral: { names: "CloseEphemeralResource", request: "PrivateRequest", response: "DiagnosticsResponse" },
  call: { names: "CallFunction", request: "CallRequest", response: "CallResponse" },
  stop: { names: ["Stop", "StopProvider"], request: "Empty", response: "StopResponse" },
} as const satisfies Readonly<Record<string, RpcRow>>;

/** Name of an RPC in this project. */
export type Rpc = keyof typeof RPCS;
/** Message of the request. */
export type RequestOf<Name extends Rpc> = (typeof RPCS)[Name]["request"];
/** Message of the response. */
export type ResponseOf<Name extends Rpc> = (typeof RPCS)[Name]["response"];

/** RPC of the library that serves providers; it ends the process. */
export const SHUTDOWN = "/plugin.GRPCController/Shutdown";

/** Returns the name of an RPC in a protocol. */
export function rpcName(rpc: Rpc, protocol: 5 | 6): string {
  const { names } = RPCS[rpc];
  return typeof names === "string" ? names : (names[protocol - 5] ?? names[1]);
}

/** Returns the gRPC path of an RPC. */
export function rpcPath(rpc: Rpc, protocol: 5 | 6): string {
  return `/tfplugin${protocol}.Provider/${rpcName(rpc, protocol)}`;
}
