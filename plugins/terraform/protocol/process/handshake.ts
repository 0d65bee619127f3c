/** The line with which a provider says how it is to be reached. */
import { maskedStart } from "../../../secrets/redactor.js";
import { certificateOf } from "./certificate.js";

/** What a provider must be given, so that it knows for what it was started. */
export const MAGIC_COOKIE = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
} as const;

export const PROTOCOLS = "5,6";

export interface Handshake {
  readonly protocol: 5 | 6;
  readonly network: "unix" | "tcp";
  readonly address: string;
  /** Of the server, as PEM; none where it wants no TLS. */
  readonly certificate: string | undefined;
}

/** Characters of a line that are shown. */
const SHOWN = 200;

/** What the line says, or what is wrong with it, as the end of a sentence about the provider. */
export function readHandshake(line: string): Handshake | { readonly problem: string } {
  const parts = line.trim().split("|");
  const [core, version, network, address, kind, certificate = ""] = parts;
  if (parts.length < 4 || !/^\d+$/.test(core ?? "")) {
    return {
      problem: `began with a line that is not a provider handshake: ${JSON.stringify(maskedStart(line, SHOWN))}`,
    };
  }
  if (core !== "1") return { problem: `speaks version ${core} of the handshake, but the engine supports only 1` };
  if (version !== "5" && version !== "6")
    return { problem: `speaks protocol ${maskedStart(version ?? "", SHOWN)}, but the engine supports only 5 and 6` };
  if (kind !== "grpc") return { problem: `speaks ${kind || "net/rpc"}, but the engine supports only gRPC` };
  if ((network !== "unix" && network !== "tcp") || !address)
    return {
      problem: `listens at ${maskedStart(network ?? "", SHOWN)} "${maskedStart(address ?? "", SHOWN)}", which the engine does not support`,
    };
  return { protocol: version === "5" ? 5 : 6, network, address, certificate: certificateOf(certificate) };
}
