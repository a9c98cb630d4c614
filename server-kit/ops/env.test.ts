import { expect, test } from 'vitest'
import { envTable, readEnv } from '#server-kit/ops/env.ts'

test('nothing set: every variable has a default or is absent', () => {
  expect(readEnv({})).toEqual({
    PORT: 8080,
    HOST: '127.0.0.1',
    DRAIN_SECONDS: 0,
    DATA_DIR: './data',
    BACKUP_MINUTES: 10,
    FEED: 'simulator',
    MAIL_FROM: 'Tessera <no-reply@localhost>',
    PASSWORD_MIN: 8,
    SEED: 'demo',
    TEST_HOOKS: false,
    ORIGINS: [],
    SECRET_KEYS_OLD: [],
    TRUST_PROXY: [],
    STREAMS_PER_ADDRESS: 500,
    LOG_LEVEL: 'info',
  })
})

test('set to nothing counts as not set', () => {
  const blank = Object.fromEntries(Object.keys(envTable).map((name) => [name, '']))
  expect(readEnv(blank)).toEqual(readEnv({}))
})

test.each<[name: string, set: Record<string, string>, read: object]>([
  ['a free port', { PORT: '0' }, { PORT: 0 }],
  ['PostgreSQL', { DATABASE_URL: 'postgres://u@h:1/d' }, { DATABASE_URL: 'postgres://u@h:1/d' }],
  ['the other spelling', { DATABASE_URL: 'postgresql://h/d' }, { DATABASE_URL: 'postgresql://h/d' }],
  [
    'lists',
    { ORIGINS: 'https://a.example, https://b.example,', TRUST_PROXY: '10.0.0.1' },
    { ORIGINS: ['https://a.example', 'https://b.example'], TRUST_PROXY: ['10.0.0.1'] },
  ],
  ['a public address', { PUBLIC_URL: 'https://App.example.com/' }, { PUBLIC_URL: 'https://app.example.com' }],
  ['an exchange', { FEED: 'binance', FEED_URL: 'wss://stream.example' }, { FEED: 'binance', FEED_URL: 'wss://stream.example' }],
  ['hooks here', { TEST_HOOKS: '1', HOST: 'localhost' }, { TEST_HOOKS: true }],
  ['hooks on the other loopback', { TEST_HOOKS: '1', HOST: '::1' }, { TEST_HOOKS: true }],
  ['open to all without hooks', { HOST: '0.0.0.0' }, { HOST: '0.0.0.0', TEST_HOOKS: false }],
])('%s', (_name, set, read) => {
  expect(readEnv(set)).toMatchObject(read)
})

test.each<[name: string, set: Record<string, string>, names: RegExp]>([
  ['a port in words', { PORT: 'eighty' }, /PORT: .*\(port to listen on/],
  ['a port too high', { PORT: '65536' }, /PORT/],
  ['half a port', { PORT: '80.5' }, /PORT/],
  ['another database', { DATABASE_URL: 'mysql://h/d' }, /DATABASE_URL: an address that begins with postgres:\/\//],
  ['no address', { NATS_URL: 'localhost' }, /NATS_URL/],
  ['a public address with a path', { PUBLIC_URL: 'https://h/app' }, /PUBLIC_URL: an address such as/],
  ['a public address with a query', { PUBLIC_URL: 'https://h/?a' }, /PUBLIC_URL/],
  ['a public address with a name in it', { PUBLIC_URL: 'https://me@h' }, /PUBLIC_URL/],
  ['a public address of another kind', { PUBLIC_URL: 'ftp://h' }, /PUBLIC_URL/],
  ['a drain of an hour', { DRAIN_SECONDS: '3600' }, /DRAIN_SECONDS/],
  ['rates over ftp', { RATES_URL: 'ftp://h/' }, /RATES_URL/],
  ['an unknown feed', { FEED: 'kraken' }, /FEED/],
  ['copies of PostgreSQL', { BACKUP_DIR: '/b', DATABASE_URL: 'postgres://h/d' }, /BACKUP_DIR: .*embedded database/],
  ['copies all the time', { BACKUP_MINUTES: '0' }, /BACKUP_MINUTES/],
  ['an exchange without address', { FEED: 'binance' }, /FEED_URL: FEED=binance needs/],
  ['a short token', { METRICS_TOKEN: 'short' }, /METRICS_TOKEN/],
  ['hooks spelt otherwise', { TEST_HOOKS: 'true' }, /TEST_HOOKS/],
  ['hooks for everyone', { TEST_HOOKS: '1', HOST: '0.0.0.0' }, /TEST_HOOKS: only with HOST on a loopback/],
  ['hooks on a name that looks near', { TEST_HOOKS: '1', HOST: '127.example.com' }, /TEST_HOOKS/],
  ['hooks on any address', { TEST_HOOKS: '1', HOST: '::' }, /TEST_HOOKS/],
  ['an unknown level', { LOG_LEVEL: 'loud' }, /LOG_LEVEL/],
  ['an old key that is short', { SECRET_KEYS_OLD: `${'k'.repeat(32)}\nshort` }, /SECRET_KEYS_OLD/],
])('refused: %s', (_name, set, names) => {
  expect(() => readEnv(set)).toThrow(names)
})

test('every wrong variable is named at once, and no value of a secret one is shown', () => {
  const attempt = () => readEnv({ PORT: 'x', FEED: 'y', METRICS_TOKEN: 'my-secret' })
  expect(attempt).toThrow(/PORT[\s\S]*FEED[\s\S]*METRICS_TOKEN/)
  expect(attempt).not.toThrow(/my-secret/)
})
