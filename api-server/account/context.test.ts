import { expect, test } from 'vitest'
import { type AccountContext, proveVisitor } from '#api-server/account/context.ts'
import { ApiProblem } from '#contract/problem.ts'

const caller = { lang: 'en', token: undefined, agent: '', ip: '192.0.2.1' }
const typed = { scene: 'register', account: 0, target: 'ann@mail.example', code: '123456', ticket: undefined, field: 'code' } as const

test.for<[string, Error | undefined, number]>([
  ['a code that is right', undefined, 0],
  ['a wrong code', new ApiProblem('code_wrong'), 1],
  ['a code that no longer holds', new ApiProblem('code_void'), 1],
  ['a database that is away', new ApiProblem('busy'), 0],
  ['a fault', new Error('connection lost'), 0],
])('%s counts as a wrong guess or not', async ([, error, counted]) => {
  let count = 0
  const guesses = {
    codeTried: async () => void count++,
    codeRight: async () => void count--,
  }
  const codes = {
    async check() {
      if (error) throw error
      return 'id'
    },
  }
  const proved = proveVisitor({ guesses, codes } as unknown as AccountContext, typed, caller)
  if (error) await expect(proved).rejects.toBe(error)
  else expect(await proved).toBe('id')
  expect(count).toBe(counted)
})
