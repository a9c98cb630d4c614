export const sessionLimits = {
  idleMs: 7 * 24 * 3_600_000,
  absoluteMs: 30 * 24 * 3_600_000,
  sessionsMax: 20,
  seenEveryMs: 60_000,
  devicesPerAccountMax: 20,
  /** A node may use a value that it read for so long when no message replaces it. */
  believedMs: 3_000,
} as const

const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Chrome · Android` of a User-Agent header; what is not known is left out. */
export function deviceName(userAgent: string): string {
  const first = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [first(browsers), first(systems)].filter(Boolean).join(' · ')
}
