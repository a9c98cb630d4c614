import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

/**
 * Opens sockets that read and do nothing else: `sockets.ts <origin> <count> <first token, or 0 for visitors> <symbols>`. It prints a line
 * when all are open, and ends on request, when the server ends, or after five minutes.
 */
const [origin, count, firstToken, symbols] = process.argv.slice(2) as [string, string, string, string]
const lifeMs = 300_000
const atOnce = 50

function open(n: number): Promise<void> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { perMessageDeflate: false, skipUTF8Validation: true })
  socket.on('close', () => process.exit())
  return new Promise((done, fail) => {
    socket.on('error', fail)
    socket.on('open', () => {
      const token = Number(firstToken) ? { token: String(Number(firstToken) + n) } : {}
      socket.send(JSON.stringify({ action: 'checkToken', v: 2, caps: ['private', 'rows'], ...token }))
      if (symbols) socket.send(JSON.stringify({ action: 'getQuota', symbols: symbols.split(',') }))
    })
    socket.once('message', () => done())
  })
}
for (let n = 0; n < Number(count); n += atOnce)
  await Promise.all(Array.from({ length: Math.min(atOnce, Number(count) - n) }, (_, i) => open(n + i)))
console.log(`ready ${origin}`)
await pause(lifeMs)
process.exit()
