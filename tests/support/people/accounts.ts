import { expect } from 'vitest'
import type { TestApi } from '#tests/support/servers/api.ts'
import { envelopeOf } from '#tests/support/servers/envelope.ts'
import type { Answer } from '#tests/support/servers/http.ts'

export interface Made {
  token: string
  uid: number
  username: string
  password: string
  device: string
  invite_code: string
  totp_secret: string | null
  recovery_codes: string[]
}
interface BoxedMessage {
  channel: string
  to: string
  kind: string
  subject: string
  text: string
  code: string | null
}

/** The data of an answer that must be a success. */
export function dataOf<T = Record<string, unknown>>(answer: Answer): T {
  const { code, data } = envelopeOf(answer)
  expect(code, answer.text).toBe(1)
  return data as T
}

/** Creates an account and logs it in. */
export const makeUser = async (api: TestApi, fields: Record<string, string> = {}): Promise<Made> =>
  dataOf<Made>(await api.post('/test/user', fields))

export const bearing = (token: string, more: Record<string, string> = {}): Record<string, string> => ({ authorization: token, ...more })

/** Messages to an address, newest first. */
export async function mailbox(api: TestApi, to: string): Promise<BoxedMessage[]> {
  return dataOf<{ list: BoxedMessage[] }>(await api.get(`/test/outbox?to=${encodeURIComponent(to)}`)).list
}

/** The newest code sent to an address. */
export async function codeTo(api: TestApi, to: string): Promise<string> {
  const found = (await mailbox(api, to)).find(({ code }) => code !== null)
  if (!found?.code) throw new Error(`no code went to ${to}`)
  return found.code
}

/** A different code of six digits. */
export const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Moves the clock of the server forward. */
export async function later(api: TestApi, ms: number): Promise<void> {
  api.clock.set(api.clock.now() + ms)
}
