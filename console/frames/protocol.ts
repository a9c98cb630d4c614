import { isObject } from '#language/documents/json.ts'

/**
 * Messages between the console and a page of its own in a frame, by postMessage: the preview and the back office. Both pages have one origin; a
 * message of another origin or another window, and an unknown one, is ignored. Each frame lists the kinds that it takes and sends.
 */

export type Body = Record<string, unknown>
/** Kinds of messages, each with a check of its members. */
export type Kinds<M extends { kind: string }> = Readonly<Record<M['kind'], (body: Body) => boolean>>

export interface Heard {
  origin: string
  source: unknown
  data: unknown
}
/** The only accepted sender. */
export interface Speaker {
  origin: string
  window: unknown
}

const channel = 'tessera-frame'
const addressMax = 2_000

export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
/** An address within a frame: `/recharge?id=3`. */
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('/') && value.length <= addressMax

/** Kinds that every frame sends: it can be talked to, it shows another page, it cannot go on. */
export const fromEveryFrame = {
  ready: () => true,
  where: ({ address }: Body) => isAddress(address),
  broken: ({ reason }: Body) => typeof reason === 'string',
}
/** Kinds that every frame takes: an address to show. */
export const toEveryFrame = { open: ({ address }: Body) => isAddress(address) }

/** A message as it is sent. */
export const written = <M extends { kind: string }>(message: M): M & { channel: string } => ({ ...message, channel })

/** @returns reads a message of one of the kinds; undefined for anything else */
export function readerOf<M extends { kind: string }>(kinds: Kinds<M>): (event: Heard, from: Speaker) => M | undefined {
  return ({ origin, source, data }, from) => {
    if (origin !== from.origin || source === null || source !== from.window) return undefined
    if (!isObject(data) || data.channel !== channel || typeof data.kind !== 'string' || !Object.hasOwn(kinds, data.kind)) return undefined
    return kinds[data.kind as M['kind']](data) ? (data as unknown as M) : undefined
  }
}
