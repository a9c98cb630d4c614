import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createSecurity } from '#server-kit/http/security-headers.ts'

const security = createSecurity({ trustProxy: ['10.0.0.0/8', 'loopback'] })
const policyOf = (pairs: ReturnType<typeof security.page>) => pairs.find(([name]) => name === 'Content-Security-Policy')![1]

describe('the policy of the page', () => {
  test('names every source and nothing loose', () => {
    const policy = policyOf(security.page('tessera.example:8080'))
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      'frame-src https:',
    ]) {
      expect(policy.split(';')).toContain(part)
    }
    expect(policy).not.toMatch(/unsafe|\*|http:/)
    expect(policy).toContain("connect-src 'self' ws://tessera.example:8080 wss://tessera.example:8080")
  })
  test.for([
    ['127.0.0.1:8080', 'ws://127.0.0.1:8080'],
    ['[::1]:8080', 'ws://[::1]:8080'],
    ['Example.COM', 'ws://example.com'],
  ] as const)('host %s may be connected to', ([host, socket]) => {
    expect(policyOf(security.page(host))).toContain(socket)
  })
  test.for([
    [undefined],
    [''],
    ["x; script-src 'unsafe-inline'"],
    ['a b'],
    ['a,b'],
    ['a\nb'],
    ["a'b"],
    ['https://x'],
    [`${'a'.repeat(254)}`],
  ] as const)('host %j is left out', ([host]) => {
    expect(policyOf(security.page(host))).toContain("connect-src 'self';")
  })
  test('many hosts do not fill the memory and still get their policy', () => {
    for (let i = 0; i < 1_000; i += 1) security.page(`host${i}.example`)
    expect(policyOf(security.page('host999.example'))).toContain('wss://host999.example')
  })
})

test('only our own styles and no text as HTML; the development server is the exception', () => {
  expect(policyOf(security.page('a')).split(';')).toEqual(
    expect.arrayContaining(["style-src 'self'", "require-trusted-types-for 'script'"]),
  )
  const dev = policyOf(createSecurity({ trustProxy: [], dev: true }).page('a'))
  expect(dev).not.toContain('trusted-types')
  // Vite's client waits in such a worker for a server that starts again.
  expect(dev.split(';')).toContain("worker-src 'self' blob:")
  expect(policyOf(security.page('a')).split(';')).toContain("worker-src 'self'")
})

describe('over TLS or not', () => {
  const rows: [string, { encrypted?: boolean; remoteAddress?: string }, string | undefined, boolean][] = [
    ['its own TLS', { encrypted: true, remoteAddress: '1.2.3.4' }, undefined, true],
    ['a trusted proxy says so', { remoteAddress: '10.1.2.3' }, 'https', true],
    ['a trusted proxy says http', { remoteAddress: '10.1.2.3' }, 'http', false],
    ['a stranger says so', { remoteAddress: '1.2.3.4' }, 'https', false],
    ['nobody says so', { remoteAddress: '127.0.0.1' }, undefined, false],
  ]
  test.for(rows)('%s', ([, socket, proto, secure]) => {
    const req = { socket, headers: { ...(proto && { 'x-forwarded-proto': proto }) } } as unknown as IncomingMessage
    const set = new Map<string, string>()
    security.apply(req, { setHeader: (name: string, value: string) => set.set(name, value) } as unknown as ServerResponse, security.data)
    expect(security.overTls(req)).toBe(secure)
    expect(set.has('Strict-Transport-Security')).toBe(secure)
  })
  test('without trusted proxies the header is never believed', () => {
    const alone = createSecurity({ trustProxy: [] })
    expect(
      alone.overTls({ socket: { remoteAddress: '127.0.0.1' }, headers: { 'x-forwarded-proto': 'https' } } as unknown as IncomingMessage),
    ).toBe(false)
  })
})

test('what is no page may do nothing at all', () => {
  expect(policyOf(security.data)).toBe("default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';sandbox")
})
