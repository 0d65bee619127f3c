/** The handshake: the line in which a provider reports its address. */
import { maskedStart } from "../../../secrets/redactor.js";
import { certificateOf } from "./certificate.js";

/** The environment variable by which a provider knows that it runs as a plugin. */
export const MAGIC_COOKIE = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
} as const;

export const PROTOCOLS = "5,6";

export interface Handshake {
  readonly protocol: 5 | 6;
  readonly network: "unix" | "tcp";
  readonly address: string;
  /** Certificate of the server as PEM; undefined without TLS. */
  readonly certificate: string | undefined;
}

/** Maximum shown characters of a line. */
const SHOWN = 200;

/** Parses the line, or returns its problem as the end of a sentence about the provider. */
export function readHandshake(line: string): Handshake | { readonly problem: string } {
  const parts = line.trim().split("|");
  const [core, version, network, address, kind, certificate = ""] = parts;
  if (parts.length < 4 || !/^\d+$/.test(core ?? "")) {
    return {
      problem: `wrote a first line that is not the handshake of a provider: ${JSON.stringify(maskedStart(line, SHOWN))}`,
    };
  }
  if (core !== "1") return { problem: `uses version ${core} of the handshake, but the engine supports only 1` };
  if (version !== "5" && version !== "6")
    return {
      problem: `uses the plugin protocol ${maskedStart(version ?? "", SHOWN)}, but the engine supports only 5 and 6`,
    };
  if (kind !== "grpc") return { problem: `uses ${kind || "net/rpc"}, but the engine supports only gRPC` };
  if ((network !== "unix" && network !== "tcp") || !address)
    return {
      problem: `listens at ${maskedStart(network ?? "", SHOWN)} "${maskedStart(address ?? "", SHOWN)}", which the engine does not support`,
    };
  return { protocol: version === "5" ? 5 : 6, network, address, certificate: certificateOf(certificate) };
}
