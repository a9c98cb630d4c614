import { folderFault } from '#server-kit/files/disk.ts'
import { type Env, readEnv } from '#server-kit/ops/env.ts'

/** Exit code for settings that are wrong, as sysexits names it. */
const wrongSettings = 78

/** The settings, or an end of the process with every wrong one named. */
export function settingsOrExit(): Env {
  try {
    return readEnv()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(wrongSettings)
  }
}

/** Runs the start of a server. An error that stops it is written as a sentence to standard error; the exit code is 1. */
export function startOrExit(start: () => Promise<void>): void {
  start().catch((error: NodeJS.ErrnoException) => {
    process.stderr.write(`${reason(error)}\n`)
    process.exit(1)
  })
}

/** Returns the reason that stopped a start: a sentence where the cause is known, otherwise the stack. */
export function reason(error: NodeJS.ErrnoException & { port?: number; address?: string }): string {
  if (error.code === 'EADDRINUSE') return `${error.address}:${error.port} is taken; set PORT to another, or to 0 for a free one.`
  if (error.code === 'EACCES' && error.syscall === 'listen')
    return `${error.address}:${error.port} may not be listened on; set PORT to one above 1023.`
  if (error.syscall === 'connect') return `${error.address}:${error.port} does not answer (${error.code}).`
  if (error.name === 'StartRefused') return error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message
  const fault = folderFault(error)
  if (fault !== undefined) return fault
  return error.name === 'BrokenSources' ? error.message : (error.stack ?? String(error))
}
