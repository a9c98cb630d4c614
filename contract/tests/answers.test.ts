import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { mount } from '#server-kit/http/http.ts'
import { lastHandlers } from '#server-kit/http/refusals.ts'
import type { Log } from '#server-kit/ops/log.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'

const rows = calls({
  'shop.items': {
    method: 'GET',
    path: '/items',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: z.object({ list: z.array(z.object({ id: z.int(), price: z.string() })) }),
    problems: [],
    summary: 'Items',
  },
})

test.each([
  ['in development the caller reads what differs', true, 'shop.items answers other than the contract says, at list.1.price: '],
  ['in the product the caller reads no more than that it failed', false, 'Something went wrong'],
])('an answer that differs from the contract is one line of the log; %s', async (_, developing, said) => {
  const lines: [Record<string, unknown>, string][] = []
  const log = { error: (...line: (typeof lines)[number]) => void lines.push(line), warn: () => undefined } as unknown as Log
  const app = express()
  const wrong = {
    list: [
      { id: 1, price: '2' },
      { id: 2, price: 3 as unknown as string },
    ],
  }
  const refuse = () => Promise.reject(new Error('nobody logs in here'))
  mount(app, rows, { 'shop.items': () => wrong }, { prefix: '/api', chooseLanguage: () => 'en', requireUser: refuse })
  app.use(...lastHandlers(loadTexts('locales', 'problem'), log, developing))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/items`)
    const body = (await answer.json()) as { name: string; msg: string }
    expect([answer.status, body.name]).toEqual([500, 'internal'])
    expect(body.msg).toContain(said)
    expect(lines).toEqual([
      [
        expect.objectContaining({ call: 'shop.items', path: 'list.1.price', expected: expect.stringContaining('expected string') }),
        'api: an answer differs from the contract; the client gets the problem code',
      ],
    ])
  } finally {
    server.close()
  }
})
