import { join } from 'node:path'
import type { RequestHandler } from 'express'
import type { Registry } from 'prom-client'
import { typeOf } from '#api-server/upload/picture.rules.ts'
import { createWorkshop, type Workshop, type WorkshopOptions } from '#api-server/upload/picture.workshop.ts'
import { noScanner, type Scanner } from '#api-server/upload/scanner.ts'
import { createPictureFiles } from '#api-server/upload/upload.files.ts'
import { uploadHandlers } from '#api-server/upload/upload.handlers.ts'
import { createPicturePage } from '#api-server/upload/upload.page.ts'
import { createReceiver } from '#api-server/upload/upload.receive.ts'
import {
  addressOf,
  draftKeptMs,
  isName,
  isReviewed,
  nameIn,
  type Purpose,
  type UploadQuota,
  uploadQuota,
} from '#api-server/upload/upload.rules.ts'
import { createUploadStore } from '#api-server/upload/upload.store.ts'
import type { uploadCalls } from '#contract/calls/common.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Caller, Handlers, MountOptions } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

export interface UploadsOptions {
  database: Database
  /** Pictures are in `uploads` below it. */
  dataDir: string
  clock: Clock
  log: Log
  /** What not everybody may see is sealed on the disk. */
  secrets: Pick<Secrets, 'sealBytes' | 'openBytes' | 'mac'>
  uidOf: (caller: Caller) => number
  /** Whose token it is; undefined for one that is not valid. */
  userOf: (token: string) => Promise<number | undefined>
  scanner?: Scanner
  quota?: UploadQuota
  /** How many are drawn at once, and for how long. */
  workshop?: WorkshopOptions['limits']
  /** Gets the metrics of jobs; see every.ts. */
  registry?: Registry | undefined
}

export interface Uploads {
  handlers: Handlers<typeof uploadCalls>
  receive: NonNullable<MountOptions['receive']>
  /** Answers GET /api/upload/:name. */
  page: RequestHandler
  /**
   * Takes a picture of this account for a purpose: `address` is what common.upload answered.
   * @param field of the call that named it
   * @param tx takes it inside of a change
   * @throws ApiProblem('not_found') when it is not there, another's, or was sent for a purpose that this one would make public
   */
  claim(uid: number, address: string, purpose: Exclude<Purpose, 'draft'>, field?: string, tx?: Tx): Promise<string>
  /**
   * Removes a picture of this account and its file; one that is not there is no problem.
   * @param tx inside of a change the row alone: the file goes with `discard`, once the change is through
   */
  remove(uid: number, address: string, tx?: Tx): Promise<void>
  /** Removes the file of a picture whose row is gone. */
  discard(address: string): Promise<void>
  /**
   * A picture that was sent for a person to review, for whoever has made sure that it is a reviewer who asks.
   * @param name the last part of its address
   * @returns undefined for a name that is not there, and for a picture that was sent for something else, or that no call has taken
   */
  readFor(name: string): Promise<{ uid: number; type: string; bytes: Buffer } | undefined>
  /** Keyed hashes of pictures by their addresses, equal for equal bytes; one of before has none. */
  marksOf(addresses: readonly string[]): Promise<string[]>
  /** Removes pictures that nobody took and files that no row knows. */
  sweep(): Promise<void>
  counts: Workshop['counts']
  start(): void
  stop(): Promise<void>
}

const sweepEveryMs = 3_600_000
/** A file is written just before its row; one that is this old and has none never gets one. */
const orphanMs = 3_600_000

export function createUploads({ database, dataDir, clock, log, secrets, uidOf, userOf, ...rest }: UploadsOptions): Uploads {
  const store = createUploadStore(database)
  const files = createPictureFiles(join(dataDir, 'uploads'), secrets)
  const workshop = createWorkshop({ log, limits: rest.workshop })
  const receive = createReceiver()
  const { scanner = noScanner, quota = uploadQuota } = rest
  let job: RepeatedJob | undefined

  async function sweep(): Promise<void> {
    for (;;) {
      const old = await store.unclaimedBefore(clock.now() - draftKeptMs)
      for (const name of old) if (await store.removeUnclaimed(name)) await files.remove(name)
      if (!old.length) break
    }
    for await (const names of files.older(Date.now() - orphanMs)) {
      const known = await store.known(names)
      for (const name of names) if (!known.has(name)) await files.remove(name)
    }
  }

  return {
    handlers: uploadHandlers({ store, files, workshop, scanner, quota, clock, log, secrets, uidOf }),
    receive: (req, res, caller) => receive(req, res, uidOf(caller)),
    page: createPicturePage({ store, files, log, userOf }),
    async claim(uid, address, purpose, field = 'url', tx) {
      const name = nameIn(address)
      const row = name && (await store.claim(uid, name, purpose, clock.now(), tx))
      if (!row) throw new ApiProblem('not_found', { field })
      return addressOf(row.name)
    },
    async remove(uid, address, tx) {
      const name = nameIn(address)
      if (name && (await store.remove(uid, name, tx)) && !tx) await files.remove(name)
    },
    async discard(address) {
      const name = nameIn(address)
      if (name && !(await store.find(name))) await files.remove(name)
    },
    async readFor(name) {
      const row = isName(name) ? await store.find(name) : undefined
      if (!row || !isReviewed(row.purpose) || row.claimed_at === null) return undefined
      const bytes = await files.whole(row.name)
      return bytes && { uid: row.uid, type: typeOf[row.kind], bytes }
    },
    marksOf: (addresses) => store.marks(addresses.flatMap((address) => nameIn(address) ?? [])),
    sweep,
    counts: workshop.counts,
    start() {
      job = every(sweepEveryMs, { name: 'uploads', work: sweep, log, registry: rest.registry })
      void job.run()
    },
    async stop() {
      workshop.stop()
      await job?.stop()
    },
  }
}
