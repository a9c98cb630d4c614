import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { isLoopbackAddress } from '#server-kit/http/client-address.ts'
import { addressRange } from '#server-kit/http/limiter.ts'

/** Proof that a client got a release from this server, and from which network. */
export interface Tickets {
  /**
   * Goes out with each manifest, as the header `Report-Ticket`. Within a minute all clients of a network are given the same one.
   * @param network `addressRange` of the address, for callers that know it
   */
  issue(release: number, address: string, network?: string): string
  /**
   * Returns the witness of a report of this release: the name under which the network is counted, which does not reveal the address.
   * @returns undefined for a ticket that is forged, too old, of another release or of another network
   */
  witness(tickets: readonly string[], release: number, address: string): string | undefined
}

export const ticketHeader = 'Report-Ticket'
export const ticketLimits = { ageMsMax: 7 * 86_400_000, lengthMax: 90, perReportMax: 3, keptMax: 10_000 } as const

const minuteMs = 60_000
const form = /^(\d{1,9})\.(\d{1,9})\.([\w-]{8})\.([\w-]{22})$/

/** HMAC-SHA-256 with a key that all nodes share; see `Secrets.mac`. */
export type Mac = (purpose: string, text: string) => Buffer

/** For a server without secrets: a key of this process. */
export function ownMac(): Mac {
  const key = randomBytes(32)
  return (purpose, text) => createHmac('sha256', key).update(`${purpose}\n${text}`).digest()
}

/**
 * @param localEach every client on this machine is a witness of its own; for tests and benches, which have one address
 */
export function createTickets({ mac, now, localEach = false }: { mac: Mac; now: () => number; localEach?: boolean }): Tickets {
  const seal = (release: string, minute: string, client: string, address: string) =>
    mac('report-ticket', [release, minute, client, addressRange(address)].join('\n')).subarray(0, 16)
  const networkMark = (address: string) => mac('report-network', addressRange(address)).toString('hex', 0, 4)
  const isWitness = (address: string) => localEach && isLoopbackAddress(address)

  function make(release: number, minute: string, address: string): string {
    // A name, not a secret: the seal vouches for it.
    const client = randomUUID().slice(0, 8)
    return `${release}.${minute}.${client}.${seal(String(release), minute, client, address).toString('base64url')}`
  }
  /** Tickets of this minute by release and network. */
  const kept = new Map<string, string>()
  let keptOf = ''

  return {
    issue(release, address, network = addressRange(address)) {
      const minute = String(Math.floor(now() / minuteMs))
      if (isWitness(address)) return make(release, minute, address)
      if (minute !== keptOf || kept.size >= ticketLimits.keptMax) kept.clear()
      keptOf = minute
      const key = `${release} ${network}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const ticket = make(release, minute, address)
      kept.set(key, ticket)
      return ticket
    },
    witness(tickets, release, address) {
      for (const ticket of tickets) {
        const [, of = '', minute = '', client = '', sealed = ''] = form.exec(ticket) ?? []
        if (of !== String(release)) continue
        const ageMs = now() - Number(minute) * minuteMs
        if (ageMs < -minuteMs || ageMs > ticketLimits.ageMsMax) continue
        const bytes = Buffer.from(sealed, 'base64url')
        if (bytes.length !== 16 || !timingSafeEqual(bytes, seal(of, minute, client, address))) continue
        return isWitness(address) ? mac('report-client', client).toString('hex', 0, 4) : networkMark(address)
      }
      return undefined
    },
  }
}
