import { expect } from 'vitest'
import { type ProblemCode, problems } from '#contract/problem.ts'
import type { Answer } from '#tests/support/servers/http.ts'

export interface Envelope {
  code: number
  msg: string
  data: Record<string, unknown> | null
  name?: ProblemCode
  field?: string
}

/** Checks every answer: JSON in the envelope, the code of the status, no internal texts. */
export function envelopeOf(answer: Answer): Envelope {
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect(answer.headers['x-powered-by']).toBeUndefined()
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  expect(answer.text).not.toMatch(/node_modules|at \w+ \(|select |<html|<pre/i)
  const envelope = answer.json<Envelope>()
  if (answer.status === 200) expect(envelope).toMatchObject({ code: 1, msg: '' })
  else {
    expect(envelope.data).toBeNull()
    expect(problems[envelope.name!]).toEqual({ code: envelope.code, http: answer.status })
    expect(envelope.msg.length).toBeGreaterThan(1)
  }
  return envelope
}
/** A refusal in short: status, name and field. */
export const refusal = (answer: Answer): string => {
  const { name, field } = envelopeOf(answer)
  return `${answer.status} ${name}${field ? ` ${field}` : ''}`
}
