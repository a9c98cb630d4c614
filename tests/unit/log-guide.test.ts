import { expect, test } from 'vitest'
import { isTest, readCode } from '#tests/support/house/tidy.files.ts'
import { explainedLines } from '#tests/support/log-guide.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

const servers = /^(?:api-server|config-server|server-kit)\/|^main\.ts$/
const calls = /\blog\??(?:\.(?:warn|error|fatal)|\[[^\]]*'error'\])\(/g
const literal = /'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g

/** The arguments of a call, from its opening parenthesis on. */
function argumentsAt(text: string, from: number): string {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return text.slice(from, at)
  }
  throw new Error('a call without its end')
}

/** Messages of level warn and above: the last literal among the arguments of each call. A variable stands for what `fail` of serve.ts is given. */
function messagesOf(text: string): string[] {
  return [...text.matchAll(calls)].map(({ index, 0: call }) => {
    const said = [...argumentsAt(text, index + call.length).matchAll(literal)].at(-1)
    return (said?.[1] ?? said?.[2] ?? 'variable').replaceAll(/\$\{[^}]*\}/g, '…')
  })
}

test('each line of level warn and above is explained in the guide, and the guide explains no other', () => {
  const code = readCode(projectRoot).filter(({ path }) => servers.test(path) && !isTest(path))
  const said = new Set(code.flatMap(({ text }) => messagesOf(text)))
  expect(said.delete('variable')).toBe(true)
  for (const one of ['stopping failed', 'uncaught', 'unhandled rejection']) said.add(one)
  expect([...explainedLines].sort()).toEqual([...said].sort())
})

test.each([
  [`log.warn({ err: error }, 'a thing failed')`, ['a thing failed']],
  [`log.error(\n  { a: f(1) },\n  \`lease: this node no longer \${options.does}\`,\n)`, ['lease: this node no longer …']],
  [`log.info('all is well')`, []],
])('messages of %s', (text, messages) => {
  expect(messagesOf(text)).toEqual(messages)
})
