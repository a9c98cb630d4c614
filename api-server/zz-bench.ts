import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import autocannon from 'autocannon'
import express from 'express'
import { startApi } from '#tests/support/api.ts'

const api = await startApi({ place: { dataDir: mkdtempSync('/tmp/zz-') }, env: { FEED: 'simulator', TEST_HOOKS: '0' } })
const bytes = (await api.get('/api/market/quotation')).body
console.log('bytes', bytes.length)
const bare = express().disable('x-powered-by').disable('etag')
bare.get('/x', (_q, r) => void r.type('json').end(bytes))
const server = bare.listen(0, '127.0.0.1')
await new Promise((d) => server.once('listening', d))
const urls = {
  bare: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`,
  ours: `${api.origin}/api/market/quotation`,
  ordinary: `${api.origin}/api/menu`,
}
for (let i = 0; i < 3; i++)
  for (const [name, url] of Object.entries(urls)) {
    const r = await autocannon({ url, connections: 16, duration: 2 })
    console.log(name, Math.round(r.requests.average), 'p99', r.latency.p99, r.non2xx)
  }
server.close()
await api.close()
process.exit()
