/** Decorative icons next to words. */

const PATHS = {
  search: "M9 3.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11zM13 13l4 4",
  moon: "M10 3a7 7 0 1 0 7 7a5.2 5.2 0 0 1-7-7z",
  help: "M10 2.8a7.2 7.2 0 1 1 0 14.4a7.2 7.2 0 0 1 0-14.4zM7.9 7.9a2.1 2.1 0 1 1 3 1.9c-.6.3-.9.7-.9 1.4M10 13.9v.1",
  lock: "M5.5 9h9v7.5h-9zM7.2 9V6.4a2.8 2.8 0 0 1 5.6 0V9",
  check: "M4.5 10.5l3.5 3.5l7.5-8",
  cross: "M5.5 5.5l9 9M14.5 5.5l-9 9",
  alert: "M10 3l7.5 13.5h-15zM10 8.2v3.6M10 14v.1",
  chevron: "M7.5 5l5 5l-5 5",
  copy: "M7.5 7.5h8v8h-8zM12.5 4.5h-8v8",
  plus: "M10 4.5v11M4.5 10h11",
  minus: "M4.5 10h11",
  fit: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
  scope: "M3.5 5.5h5l1.5 2h6.5v8h-13z",
  fleet: "M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.500 11.500h5v5h-5zM11.500 11.500h5v5h-5z",
  shield: "M10 3l6 2v4.5c0 3.6-2.4 6-6 7.5c-3.6-1.5-6-3.9-6-7.5V5z",
  clock: "M10 2.8a7.2 7.2 0 1 1 0 14.4a7.2 7.2 0 0 1 0-14.4zM10 6v4.2l2.8 1.6",
  eye: "M2.5 10c2-3.6 4.5-5.4 7.5-5.4s5.5 1.8 7.5 5.4c-2 3.6-4.5 5.4-7.5 5.4S4.500 13.600 2.500 10zM10 7.800a2.200 2.200 0 1 1 0 4.400a2.200 2.200 0 0 1 0-4.400z",
  back: "M7.500 4.500L3.500 8.500l4 4M3.500 8.500h8a5 5 0 0 1 5 5v2",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#0a6b52" />
      <path d="M8 8.2h10.8a5 5 0 0 1 5 5V24" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" />
      <rect x="6.8" y="14.2" width="11" height="11" rx="3.2" fill="#fff" />
    </svg>
  );
}
