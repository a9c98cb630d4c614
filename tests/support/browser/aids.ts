import { type CallName, contract } from '#contract/contract.ts'
import type { Person } from '#tests/support/people/people.ts'
import type { App } from '#tests/support/servers/app.ts'

export interface Aids {
  /** Calls the API as a logged-in person. @returns the data @throws Error for every refusal */
  api<T>(who: Person, call: CallName, fields?: Record<string, string>): Promise<T>
  /** POST /test/… */
  aid(path: string, fields: Record<string, string>): Promise<void>
}

/** Access to a running product without its pages. */
export function aidsOf(app: App): Aids {
  async function api<T>(who: Person, call: CallName, fields: Record<string, string> = {}): Promise<T> {
    const { method, path } = contract[call]
    const text = new URLSearchParams(fields)
    const answer = await fetch(`${app.origin}/api${path}${method === 'GET' ? `?${text}` : ''}`, {
      method,
      headers: { authorization: who.token },
      ...(method !== 'GET' && { body: text }),
    })
    const envelope = (await answer.json()) as { code: number; name?: string; data: T }
    if (envelope.code !== 1) throw new Error(`${call}: ${envelope.name}`)
    return envelope.data
  }
  const aid = async (path: string, fields: Record<string, string>) => {
    const answer = await fetch(`${app.origin}/test/${path}`, { method: 'POST', body: new URLSearchParams(fields) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  }
  return { api, aid }
}
