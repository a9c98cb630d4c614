import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Functions that change a file or a folder. */
const changes = [
  'openSync',
  'writeSync',
  'writeFileSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
  'rmSync',
  'mkdirSync',
  'rmdirSync',
  'truncateSync',
  'ftruncateSync',
] as const
type Change = (typeof changes)[number]

/**
 * Kills this process (SIGKILL) right before its n-th change of a file from now on: earlier changes have happened, this and later ones have
 * not. Opening a file counts when it may create or truncate it.
 * @param at from 1; with 0 nothing is killed, and each change is passed to `say` as `<name> <file>`
 */
export function diesAt(at: number, say: (change: string) => void): void {
  const names = new Map<number, string>()
  const own = fs as unknown as Record<Change, (...given: unknown[]) => unknown>
  let count = 0
  for (const name of changes) {
    const real = own[name].bind(fs)
    own[name] = (...given) => {
      const [what, flags] = given
      const file = typeof what === 'number' ? (names.get(what) ?? '?') : String(what)
      if (
        name !== 'openSync' ||
        (typeof flags === 'number' ? flags & (fs.constants.O_CREAT | fs.constants.O_TRUNC) : /[wa]/.test(String(flags)))
      ) {
        count++
        if (count === at) process.kill(process.pid, 'SIGKILL')
        if (at === 0) say(`${name} ${file}`)
      }
      const result = real(...given)
      if (name === 'openSync') names.set(result as number, file)
      return result
    }
  }
  syncBuiltinESMExports()
}
