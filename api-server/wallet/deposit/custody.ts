import { demoAddress } from '#contract/rules/payment.rules.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

/** The service that receives deposited coins and assigns deposit addresses. An adapter to a custody provider implements this interface. */
export interface Custody {
  /** Name of the service, shown beside every address. */
  readonly source: string
  /** The address of a customer for one currency and chain. The same arguments always give the same address. */
  addressFor(uid: number, code: string, chain: string): Promise<string>
  /** Whether it has assigned an address to any customer: money that leaves to one would come back without a deposit of its owner. */
  isOurs(address: string, code: string, chain: string): Promise<boolean>
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
      `${demoAddress}${chain}-${secrets.mac('deposit_address', `${uid}\n${code}\n${chain}`).toString('hex').slice(0, digits)}`,
    isOurs: async (address) => address.startsWith(demoAddress),
  }
}
