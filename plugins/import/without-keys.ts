/** Returns an address without the keys of instances: a tool may record only the configuration behind them. */
export function withoutKeys(address: string): string {
  return address.includes("[") ? address.replaceAll(/\[(?:\d+|"[^"\\]*(?:\\.[^"\\]*)*")\]/g, "") : address;
}
