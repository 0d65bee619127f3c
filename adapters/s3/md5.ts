import { createHash } from "node:crypto";
import type { DeleteObjectsCommand } from "@aws-sdk/client-s3";

/** Adds the older of the two checksums by which services accept a batch of deletes; the SDK sends the newer one. */
export function withMd5(command: DeleteObjectsCommand): DeleteObjectsCommand {
  command.middlewareStack.add(
    (next) => (args) => {
      const { request } = args;
      if (hasBody(request)) request.headers["content-md5"] = createHash("md5").update(request.body).digest("base64");
      return next(args);
    },
    { step: "build", name: "contentMd5" },
  );
  return command;
}

interface WithBody {
  readonly body: string | Uint8Array;
  readonly headers: Record<string, string>;
}

function hasBody(request: unknown): request is WithBody {
  if (typeof request !== "object" || request === null || !("body" in request) || !("headers" in request)) return false;
  return typeof request.body === "string" || request.body instanceof Uint8Array;
}
