/** Whole messages come out of a stream, however it is split. */
import { describe, expect, it } from "vitest";
import { http } from "./http.js";
import { Messages } from "./messages.js";
import { resp } from "./resp.js";

/** The result for messages that arrive in pieces of so many bytes. */
function cut(messages: readonly string[], size: number, length: (bytes: Buffer) => number): string[] {
  const all = Buffer.from(messages.join(""));
  const whole: string[] = [];
  const stream = new Messages(length, (message) => whole.push(message.toString()));
  for (let at = 0; at < all.length; at += size) stream.push(all.subarray(at, at + size));
  expect(stream.size).toBe(0);
  return whole;
}

const sizes = [1, 2, 3, 7, 64, 10_000];

describe("HTTP", () => {
  const requests = [
    "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n",
    "PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\nIf-None-Match: *\r\n\r\n\r\n\r\nbody",
    "PUT /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n10;x=y\r\n0123456789abcdef\r\n0\r\n\r\n",
    "PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\nx-amz-checksum-crc32: AAAAAA==\r\n\r\n",
    "DELETE /a HTTP/1.1\r\n\r\n",
  ];

  it.each(sizes)("has requests, of pieces of %i bytes", (size) => {
    expect(cut(requests, size, http.requestLength)).toEqual(requests);
  });

  it.each(sizes)("has replies, of pieces of %i bytes", (size) => {
    const replies = [
      "HTTP/1.1 100 Continue\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
      "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n",
      "HTTP/1.1 204 No Content\r\n\r\n",
    ];
    expect(cut(replies, size, (bytes) => http.replyLength(bytes, "GET"))).toEqual(replies);
    const head = ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"];
    expect(cut(head, size, (bytes) => http.replyLength(bytes, "HEAD"))).toEqual(head);
  });

  it("asks for the rest of a request that waits for being asked", () => {
    const head = "PUT /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n";
    expect(http.urge(Buffer.from(head))).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    expect(http.urge(Buffer.from(head.slice(0, -1)))).toBeUndefined();
    expect(http.urge(Buffer.from(requests[0] ?? ""))).toBeUndefined();
  });
});

describe("RESP", () => {
  const commands = [
    "*2\r\n$3\r\nget\r\n$4\r\n\r\n\r\n\r\n",
    "*1\r\n$4\r\nPING\r\n",
    "PING\r\n",
    "*2\r\n$4\r\nECHO\r\n$0\r\n\r\n",
  ];

  it.each(sizes)("has commands, of pieces of %i bytes", (size) => {
    expect(cut(commands, size, resp.requestLength)).toEqual(commands);
    expect(commands.map((command) => resp.read(Buffer.from(command)).words)).toEqual([
      ["get", "\r\n\r\n"],
      ["PING"],
      ["PING"],
      ["ECHO", ""],
    ]);
  });

  it.each(sizes)("has replies, of pieces of %i bytes", (size) => {
    const replies = [
      "+OK\r\n",
      "-ERR no\r\n",
      ":-12\r\n",
      "$-1\r\n",
      "*-1\r\n",
      "*0\r\n",
      "$5\r\na\r\nbc\r\n",
      "*3\r\n:1\r\n*2\r\n$1\r\nk\r\n$-1\r\n+x\r\n",
      "_\r\n",
      "#t\r\n",
      ",1.5\r\n",
      "(3492890328409238509324850943850943825024385\r\n",
      "!5\r\nERR x\r\n",
      "=7\r\ntxt:abc\r\n",
      "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n",
      "~2\r\n+a\r\n+b\r\n",
      "|1\r\n+ttl\r\n:9\r\n$1\r\nv\r\n",
      ">2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n",
    ];
    expect(cut(replies, size, (bytes) => resp.replyLength(bytes, undefined))).toEqual(replies);
    expect(replies.filter((reply) => resp.isAside(Buffer.from(reply)))).toEqual(replies.slice(-1));
  });
});
