import { accessSync, constants, statfsSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'

/** Room that is kept free: for the log of the embedded database up to the next checkpoint and for the data that a checkpoint writes. */
export const diskLimits = { freeBytesMin: 96 * 1_048_576 } as const

/** full: less is free than the server keeps · read_only: nothing can be written there · unreachable: the folder cannot be asked. */
export type DiskState = 'up' | 'full' | 'read_only' | 'unreachable'

interface Files {
  accessSync: (path: string, mode: number) => void
  statfsSync: (path: string) => { bavail: number; bsize: number }
}

const refusesWrites = new Set(['EROFS', 'EACCES', 'EPERM'])

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException | null)?.code ?? '')

/** How many megabytes the server may still use on the disk of a folder. */
export function freeMegabytes(folder: string, files: Pick<Files, 'statfsSync'> = { statfsSync }): number {
  const { bavail, bsize } = files.statfsSync(folder)
  return Math.floor((bavail * bsize) / 1_048_576)
}

/** Whether the server can write to a folder. */
export function diskState(folder: string, files: Files = { accessSync, statfsSync }): DiskState {
  try {
    files.accessSync(folder, constants.W_OK)
    const { bavail, bsize } = files.statfsSync(folder)
    return bavail * bsize >= diskLimits.freeBytesMin ? 'up' : 'full'
  } catch (error) {
    return refusesWrites.has(codeOf(error)) ? 'read_only' : 'unreachable'
  }
}

/** Why nothing is written to a folder, as the error that the system itself would give. */
export function diskError(folder: string, state: Exclude<DiskState, 'up'>): Error {
  const code = { full: 'ENOSPC', read_only: 'EROFS', unreachable: 'EIO' }[state]
  return Object.assign(new Error(`${code}: nothing is written to ${folder}`), { code, path: folder })
}

const causes: Record<string, string> = {
  ENOSPC: `its disk is full. Free at least ${diskLimits.freeBytesMin / 1_048_576} MB`,
  EDQUOT: 'the disk quota of this user is used up. Free some space',
  EROFS: 'its disk is read-only. Mount it with write access',
  EACCES: 'this user may not write there. Change the owner or the permissions',
  EPERM: 'this user may not write there. Change the owner or the permissions',
  EIO: 'its disk does not answer. Check the disk',
}
/** Causes of other errors while a folder is made. */
const mkdirCauses: Record<string, string> = {
  ENOTDIR: 'a part of its path is a file. Choose another path',
  EEXIST: 'it is a file, not a folder. Choose another path',
  ENOENT: 'it cannot be created. Create it, or choose another path',
}

/** Node says ENOENT for a folder that cannot be made on a read-only disk; the nearest folder that exists knows better. */
function mkdirCode(folder: string): string {
  for (let at = dirname(folder); ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK)
      return 'ENOENT'
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || at === dirname(at)) return codeOf(error)
    }
  }
}

/**
 * Returns the system's error about a folder that the server cannot use, as a sentence for the person who starts the server.
 * @param error of the file system, or one that has such an error as its cause
 * @param folder the folder that was opened; by default the path that the error names
 * @returns undefined for an error that says nothing about this folder
 */
export function folderFault(error: unknown, folder?: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { path, syscall = '' } = error as NodeJS.ErrnoException
  const place = folder ?? path
  const isMkdir = syscall === 'mkdir'
  const code = isMkdir && codeOf(error) === 'ENOENT' && place ? mkdirCode(resolve(place)) : codeOf(error)
  const cause = causes[code] ?? (isMkdir ? mkdirCauses[code] : undefined)
  if (cause === undefined) return error.cause === undefined ? undefined : folderFault(error.cause, folder)
  if (syscall === 'connect' || syscall === 'listen' || place === undefined) return undefined
  const isElsewhere =
    folder !== undefined && path !== undefined && !isMkdir && !`${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`)
  return isElsewhere ? undefined : `${place} cannot be used: ${cause}, then start again (${code}).`
}
