interface Surroundings {
  /** `npm run dev`. */
  dev: boolean
  /** The app document's; `inspector: true` allows it to everybody, for an installation that only testers reach. */
  constants: Readonly<Record<string, unknown>>
  /** `tessera.inspect` of this browser: `1` where a developer has set it. */
  flag: string | null
  /** `location.search`. */
  search: string
}

/**
 * Whether the inspector may be loaded at all, and whether it opens by itself. The address alone opens nothing in the product: a link that
 * somebody sends must not change what a customer sees.
 */
export function inspection({ dev, constants, flag, search }: Surroundings): { load: boolean; open: boolean } {
  const load = dev || constants.inspector === true || flag === '1'
  return { load, open: load && (flag === '1' || new URLSearchParams(search).has('inspect')) }
}

/** Keys that switch the inspector on and off: Ctrl, Alt and I. */
export const isShortcut = ({ ctrlKey, altKey, code }: Pick<KeyboardEvent, 'ctrlKey' | 'altKey' | 'code'>): boolean =>
  ctrlKey && altKey && code === 'KeyI'
