/** Systems as archives of providers are named after them. */

export interface Target {
  readonly os: string;
  readonly arch: string;
}

const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const PROCESSORS: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

export function thisTarget(): Target {
  const { platform, arch } = process;
  return { os: SYSTEMS[platform] ?? platform, arch: PROCESSORS[arch] ?? arch };
}

export function targetText({ os, arch }: Target): string {
  return `${os}_${arch}`;
}
