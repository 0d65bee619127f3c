/** The packed package, installed once for all tests of a run. */
import { join } from "node:path";
import { describeUnless, given } from "../servers/given.ts";

const lacks = await given("packed");

export interface Packed {
  /** The installed package. */
  readonly folder: string;
  /** The folder `node_modules` that it is in, with the packages of all stores. */
  readonly packages: string;
  readonly tarball: string;
}

/** A block of tests that need it: "npm test" builds first; a quick run without a build has nothing to pack. */
export function describePacked(name: string, body: (packed: Packed) => void): void {
  const packages = process.env.TEST_PACKED ?? "";
  const packed = { folder: join(packages, "scope-engine"), packages, tarball: process.env.TEST_TARBALL ?? "" };
  describeUnless(lacks, name, () => body(packed));
}
