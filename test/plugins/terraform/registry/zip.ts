/** Archives for tests: without compression, with arbitrary names and modes. */
export interface Packed {
  readonly name: string;
  readonly text: string;
  /** Unix mode. Default: a plain executable file. */
  readonly mode?: number;
}

const TABLE = Array.from({ length: 256 }, (_, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

export function zipOf(files: readonly Packed[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text, mode = 0o100755 } of files) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const end = Buffer.alloc(14);
    end.writeUInt32LE((mode << 16) >>> 0, 6);
    end.writeUInt32LE(offset, 10);
    parts.push(Buffer.from("PK\x03\x04"), common, path, bytes);
    // Created on Unix, so that modes count.
    directory.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common, end, path);
    offset += 30 + path.length + bytes.length;
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0);
  const last = Buffer.alloc(18);
  last.writeUInt16LE(files.length, 4);
  last.writeUInt16LE(files.length, 6);
  last.writeUInt32LE(size, 8);
  last.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from("PK\x05\x06"), last]);
}
