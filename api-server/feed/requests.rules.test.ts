import { expect, test } from 'vitest'
import { readRequest } from '#api-server/feed/requests.rules.ts'

test.each([
  ['{"action":"checkToken"}', { action: 'checkToken' }],
  [
    '{"action":"checkToken","token":"t","v":2,"caps":["trades","private"],"resume":{"epoch":"e","seq":4}}',
    { action: 'checkToken', token: 't', v: 2, caps: ['trades', 'private'], resume: { epoch: 'e', seq: 4 } },
  ],
  ['{"action":"getQuota","connect":true}', { action: 'getQuota', connect: true }],
  ['{"action":"getQuota","symbols":["BTCUSDT"]}', { action: 'getQuota', symbols: ['BTCUSDT'] }],
  ['{"action":"getQuota","symbols":["BTCUSDT","","btc/usdt"]}', { action: 'getQuota', symbols: ['BTCUSDT', '', 'btc/usdt'] }],
  ['{"action":"getDepth","symbol":"BTCUSDT","off":true}', { action: 'getDepth', symbol: 'BTCUSDT', off: true }],
  ['{"action":"kline","symbol":"BTCUSDT","period":"1M"}', { action: 'kline', symbol: 'BTCUSDT', period: '1M' }],
  ['{"action":"ping","more":1}', { action: 'ping' }],
  ['{"action":"bindUid","uid":"7"}', { action: 'bindUid', uid: '7' }],
])('%s', (text, request) => {
  expect(readRequest(text)).toEqual({ request })
})

test.each([
  ['{', 'body_unreadable', undefined],
  ['', 'body_unreadable', undefined],
  ['[]', 'body_unreadable', undefined],
  ['null', 'body_unreadable', undefined],
  ['"ping"', 'body_unreadable', undefined],
  ['1e999', 'body_unreadable', undefined],
  [`${'['.repeat(2_000)}`, 'body_unreadable', undefined],
  ['{}', 'parameter_error', undefined],
  ['{"action":"eval","code":"1"}', 'parameter_error', undefined],
  ['{"action":"__proto__"}', 'parameter_error', undefined],
  ['{"action":"constructor"}', 'parameter_error', undefined],
  ['{"action":["ping"]}', 'parameter_error', undefined],
  ['{"action":"checkToken","token":["a"]}', 'parameter_error', 'checkToken'],
  ['{"action":"checkToken","v":1}', 'parameter_error', 'checkToken'],
  [`{"action":"checkToken","token":"${'t'.repeat(513)}"}`, 'parameter_error', 'checkToken'],
  ['{"action":"kline","limit":1e9}', 'parameter_error', 'kline'],
  ['{"action":"kline","symbol":"BTCUSDT","period":"1ns"}', 'parameter_error', 'kline'],
  ['{"action":"getDepth","match_id":"1 OR 1=1"}', 'parameter_error', 'getDepth'],
  ['{"action":"getDepth","symbol":"btcusdt"}', 'parameter_error', 'getDepth'],
  ['{"action":"getQuota","symbols":"BTCUSDT"}', 'parameter_error', 'getQuota'],
  ['{"action":"getQuota","symbols":["BTCUSDT",7]}', 'parameter_error', 'getQuota'],
  [JSON.stringify({ action: 'getQuota', symbols: Array(201).fill('AB') }), 'parameter_error', 'getQuota'],
])('%s is refused as %s', (text, refused, of) => {
  expect(readRequest(text)).toEqual(of ? { refused, of } : { refused })
})
