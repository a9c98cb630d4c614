import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from '#server-kit/ops/start-refused.ts'

/**
 * The facts about the database that are stored outside its folder. An engine that finds its folder damaged makes a new, empty one without
 * an error; this file shows it. `creating`: the first start has begun; `ready`: it was completed.
 */
export interface Marker {
  format: 1
  state: 'creating' | 'ready'
  /** Identity of the cluster, fixed when it was made. */
  cluster?: string
  /** Position in the log at the last checkpoint: a folder that is behind it is an older copy. */
  checkpoint?: string
}

const fileOf = (dataDir: string) => join(dataDir, 'tessera-marker.json')

/** @throws Error when the file is there and cannot be read as a marker */
export function readMarker(dataDir: string): Marker | undefined {
  const file = fileOf(dataDir)
  if (!existsSync(file)) return undefined
  try {
    const marker = JSON.parse(readFileSync(file, 'utf8')) as Marker
    if (marker.format === 1 && (marker.state === 'creating' || (marker.state === 'ready' && typeof marker.cluster === 'string')))
      return marker
  } catch (error) {
    throw new StartRefused(`${file} cannot be read; nothing was changed`, { cause: error })
  }
  throw new StartRefused(`${file} is of another version of the product; nothing was changed`)
}

/** Replaces the marker in one step, so that a crash leaves the old or the new one. */
export function writeMarker(dataDir: string, marker: Marker): void {
  const file = fileOf(dataDir)
  writeFileSync(`${file}.new`, `${JSON.stringify(marker)}\n`, { flush: true })
  renameSync(`${file}.new`, file)
}

/** Returns the number of a log position `16/B374D848`, for comparing. */
export function logPosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The state of a folder from outside, without opening it. */
interface FolderState {
  exists: boolean
  hasVersion: boolean
  hasControl: boolean
}

export function folderState(folder: string): FolderState {
  return {
    exists: existsSync(folder),
    hasVersion: existsSync(join(folder, 'PG_VERSION')),
    hasControl: existsSync(join(folder, 'global', 'pg_control')) && existsSync(join(folder, 'postgresql.conf')),
  }
}

/** create: first start · rebuild: the first start was cut off · open: as usual · adopt: a whole folder without marker (a restored copy). */
export type Boot = 'create' | 'rebuild' | 'open' | 'adopt' | { refuse: string }

/** Decides what may be done with a folder. Once a database was complete, nothing is ever created in its place. */
export function decideBoot(marker: Marker | undefined, folder: FolderState): Boot {
  const whole = folder.hasVersion && folder.hasControl
  if (marker?.state === 'ready') {
    if (whole) return 'open'
    return {
      refuse: folder.exists
        ? 'the database folder is damaged: PG_VERSION, postgresql.conf or global/pg_control is missing'
        : 'the database folder is gone',
    }
  }
  if (!folder.exists) return 'create'
  return marker === undefined && whole ? 'adopt' : 'rebuild'
}

/** Returns the reason why the opened cluster is not the one of the marker, if there is one. */
export function wrongCluster(marker: Marker, cluster: string, checkpoint: string): string | undefined {
  if (marker.cluster !== cluster)
    return `the database folder holds another database (${cluster}) than the one made here (${marker.cluster})`
  if (marker.checkpoint && logPosition(checkpoint) < logPosition(marker.checkpoint))
    return 'the database folder holds an older copy of the database'
  return undefined
}
