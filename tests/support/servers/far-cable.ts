import { fork } from 'node:child_process'
import { once } from 'node:events'
import { bundled } from '#tests/support/house/bundle.ts'

/** A cable in a process of its own, for thousands of connections: a process may have so many open files only. */
interface FarCable {
  readonly origin: string
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

/** @param target `http://127.0.0.1:40123` */
export async function layFarCable(target: string): Promise<FarCable> {
  const { file, remove } = await bundled('tests/support/servers/cable-child.ts')
  const child = fork(file, [target])
  const [{ origin }] = (await once(child, 'message')) as [{ origin: string }]
  const say = async (what: 'cut' | 'mend') => {
    child.send(what)
    await once(child, 'message')
  }
  return {
    origin,
    cut: () => say('cut'),
    mend: () => say('mend'),
    async close() {
      child.disconnect()
      await once(child, 'exit')
      remove()
    },
  }
}
