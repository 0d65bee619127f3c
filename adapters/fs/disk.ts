/** What differs between disks and systems, so that a test can have another one. */
import { link, rename } from "node:fs/promises";
import type { PlatformName } from "../../core/base/index.js";

export interface Disk {
  readonly platform: PlatformName;
  /** Puts a second name beside the first, where there is nothing. */
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

export const thisDisk: Disk = { platform: process.platform, link, rename };
