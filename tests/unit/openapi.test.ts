import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openApi } from '#api-server/openapi.ts'
import { contract } from '#contract/contract.ts'

/** The OpenAPI description, as programs of others read it. */

type Json = Record<string, unknown>
const description = openApi(contract, '/api', '1.2.3', 'https://app.tessera.test') as {
  servers: Json[]
  paths: Record<
    string,
    Record<string, { operationId: string; description: string; requestBody?: unknown; responses: Record<string, unknown> }>
  >
  components: { schemas: Record<string, Json> }
}

test('a public linter finds nothing by its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: JSON.stringify(description), absoluteRef: '/openapi.json', config })
  expect(found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
})

test('the server is the public address, or where the description comes from', () => {
  expect(description.servers).toEqual([{ url: 'https://app.tessera.test' }])
  expect(openApi(contract, '/api', '1.2.3').servers).toEqual([{ url: '/' }])
})

describe('schemas', () => {
  let text = ''
  beforeAll(() => {
    text = JSON.stringify(description)
  })
  const { schemas } = description.components

  test('have names, and calls that share a row share its schema', () => {
    expect(Object.keys(schemas).length).toBeGreaterThan(150)
    const ofCall = (name: string) =>
      JSON.stringify(
        Object.values(description.paths)
          .flatMap((path) => Object.values(path))
          .find(({ operationId }) => operationId === name)!.responses['200'],
      )
    // An opened position, and the rows of the list, are one schema.
    const position = '{"$ref":"#/components/schemas/LeverOrderOpen"}'
    expect(ofCall('lever.orderOpen')).toContain(`"data":${position}`)
    expect(ofCall('lever.orderList')).toContain(`"items":${position}`)
  })

  test('every reference leads to one, every one is referred to, and no two are the same', () => {
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]))
    expect([...referred].sort()).toEqual(Object.keys(schemas).sort())
    expect(new Set(Object.values(schemas).map((schema) => JSON.stringify(schema))).size).toBe(Object.keys(schemas).length)
  })

  test('words of ours begin with x-', () => {
    expect(text).toContain('"x-unit":"amount"')
    expect(text).not.toMatch(/"(?:unit|kind|choices)":"/)
  })
})

test('each call says more than its title: who may call, and what becomes of other fields', () => {
  const calls = Object.values(description.paths).flatMap((path) => Object.values(path))
  expect(calls).toHaveLength(Object.keys(contract).length)
  const open = calls.find(({ operationId }) => operationId === 'lever.orderOpen')!
  expect(open.description).toMatch(
    /\. Needs the token of a customer\. With an Idempotency-Key the change is made once\. A field that is not named here is refused\./,
  )
})
