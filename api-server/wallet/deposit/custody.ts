import type { Secrets } from '#server-kit/security/secrets.ts'

/** The service that receives deposited coins and assigns deposit addresses. An adapter to a custody provider implements this interface. */
export interface Custody {
  /** Name of the service, shown beside every address. */
  readonly source: string
  /** The address of a customer for one currency and chain. The same arguments always give the same address. */
  addressFor(uid: number, code: string, chain: string): Promise<string>
}

const digits = 32

/**
 * Replacement for an installation without custody. Its addresses are visibly artificial and invalid on every chain, so that no wallet sends
 * coins to them.
 */
export function embeddedCustody(secrets: Secrets): Custody {
  return {
    source: 'embedded',
    addressFor: async (uid, code, chain) =>
      `DEMO-${chain}-${secrets.mac('deposit_address', `${uid}\n${code}\n${chain}`).toString('hex').slice(0, digits)}`,
  }
}
