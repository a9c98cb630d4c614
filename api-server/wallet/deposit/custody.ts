import type { Secrets } from '#server-kit/security/secrets.ts'

/** Who keeps the coins that come in from outside, and names the addresses for them. A real one asks its own service; this is its whole door. */
export interface Custody {
  /** Shown beside every address. */
  readonly source: string
  /** The address of a customer for one coin and chain: always the same one. */
  addressFor(uid: number, code: string, chain: string): Promise<string>
}

const digits = 32

/**
 * The stand-in of an installation without custody. Its addresses say what they are, and no wallet takes them for an address of a chain,
 * so that nobody sends coins to where nobody receives them.
 */
export function embeddedCustody(secrets: Secrets): Custody {
  return {
    source: 'embedded',
    addressFor: async (uid, code, chain) =>
      `DEMO-${chain}-${secrets.mac('deposit_address', `${uid}\n${code}\n${chain}`).toString('hex').slice(0, digits)}`,
  }
}
