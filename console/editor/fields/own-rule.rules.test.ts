import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ownRule, ruleFor, validationIn } from '#console/editor/fields/own-rule.rules.ts'

const folder = join(import.meta.dirname, '../../../schemas/validations')
const written = new Map(
  readdirSync(folder)
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>)
    .map((doc) => [doc.id as string, doc]),
)

describe('a rule that is chosen', () => {
  test('has an argument for each parameter that it needs', () => {
    expect(ruleFor('email', written.get('email')?.params)).toBe('email')
    expect(ruleFor('within-balance', written.get('within-balance')?.params)).toEqual({ use: 'within-balance', with: { available: '' } })
    expect(ruleFor('password', written.get('password')?.params)).toBe('password')
  })

  test('is known by its name in both forms', () => {
    expect([validationIn('email'), validationIn({ use: 'email' }), validationIn({ test: 'value' })]).toEqual(['email', 'email', undefined])
  })

  test('keeps its test when it gets a message of its own', () => {
    const own = (rule: unknown, id: string) => ownRule(rule, written.get(id)!, { $t: 'fund.mine' })
    expect(own('email', 'email')).toEqual({ test: 'not empty(account.email(value))', message: { $t: 'fund.mine' } })
    expect(own({ use: 'within-balance', with: { available: { $: 'data.info.available' } } }, 'within-balance')).toEqual({
      test: 'value <= data.info.available',
      message: { $t: 'fund.mine' },
    })
    expect(own({ use: 'within-balance', with: { available: '100' } }, 'within-balance')).toEqual({
      test: "value <= '100'",
      message: { $t: 'fund.mine' },
    })
    // A parameter without an argument has no value to stand in its place.
    expect(own('within-balance', 'within-balance')).toBeUndefined()
  })

  test('every shipped validation without needed parameters can get a message of its own', () => {
    for (const [id, doc] of written) {
      if (ruleFor(id, doc.params) !== id) continue
      expect(ownRule(id, doc, { $t: 'a.b' }), id).toBeDefined()
    }
  })
})
