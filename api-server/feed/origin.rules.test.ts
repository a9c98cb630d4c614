import { expect, test } from 'vitest'
import { socketOrigins } from '#api-server/feed/feed.ts'
import { gate, mayOpen } from '#api-server/feed/origin.rules.ts'

const allowed = ['https://app.example.com']

test.each<[string | undefined, string | undefined, boolean]>([
  [undefined, 'localhost:8080', true],
  ['http://localhost:8080', 'localhost:8080', true],
  ['http://LOCALHOST:8080', 'Localhost:8080', true],
  ['http://127.0.0.1:8080', '127.0.0.1:8080', true],
  ['http://192.168.1.20:8080', '192.168.1.20:8080', true],
  ['http://[::1]:8080', '[::1]:8080', true],
  ['http://app.localhost:8080', 'app.localhost:8080', true],
  ['https://shop.example.org', 'shop.example.org', false],
  ['http://evil.example:8080', 'evil.example:8080', false],
  ['http://localhost.evil.example:8080', 'localhost.evil.example:8080', false],
  ['http://127.0.0.1.evil.example', '127.0.0.1.evil.example', false],
  ['https://app.example.com', 'app.example.com', true],
  ['https://app.example.com', '127.0.0.1:8080', true],
  ['https://app.example.com', 'api.example.com', true],
  ['null', 'localhost:8080', false],
  ['', 'localhost:8080', false],
  ['http://localhost:8081', 'localhost:8080', false],
  ['https://evil.example', 'localhost:8080', false],
  ['https://app.example.com.evil.example', 'localhost:8080', false],
  ['https://evilapp.example.com', 'localhost:8080', false],
  ['http://app.example.com', 'localhost:8080', false],
  ['file://', 'localhost:8080', false],
  ['chrome-extension://localhost:8080', 'localhost:8080', false],
  ['http://localhost:8080', undefined, false],
])('origin %s at host %s: %s', (origin, host, may) => {
  expect(mayOpen(origin, host, allowed)).toBe(may)
})

test.each<[publicUrl: string | undefined, origins: string[]]>([
  [undefined, ['https://b.example']],
  ['https://App.Example.com/', ['https://app.example.com', 'https://b.example']],
  ['https://app.example.com:8443', ['https://app.example.com:8443', 'https://b.example']],
])('PUBLIC_URL %s opens the socket to %s', (publicUrl, origins) => {
  expect(socketOrigins({ PUBLIC_URL: publicUrl, ORIGINS: ['https://b.example'] })).toEqual(origins)
})

test.each([
  ['/ws', undefined, false, 'open'],
  ['/ws?token=abc', undefined, false, 403],
  ['/ws?', undefined, false, 403],
  ['/ws', 'https://evil.example', false, 403],
  ['/ws', 'https://evil.example', true, 403],
  ['/ws', 'http://localhost:8080', false, 'open'],
  ['/ws', undefined, true, 503],
  ['/ws/', undefined, false, 'other'],
  ['/', undefined, false, 'other'],
  ['/ws2', undefined, false, 'other'],
  ['', undefined, false, 'other'],
] as const)('%s from %s, full %s: %s', (url, origin, full, verdict) => {
  expect(gate({ url, origin, host: 'localhost:8080' }, [], full)).toBe(verdict)
})
