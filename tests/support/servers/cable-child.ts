import { layCable } from '#tests/support/servers/proxy.ts'

/** Says the address of a cable to its parent, and cuts or mends the cable when the parent says so. Ends with its parent. */
const cable = await layCable(process.argv[2]!)
process.on('message', (what: 'cut' | 'mend') => {
  cable[what]()
  process.send!({ done: what })
})
process.once('disconnect', () => process.exit())
process.send!({ origin: cable.origin })
