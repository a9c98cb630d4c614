import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { createPictureProcesses, type PictureProcesses, type PictureProcessesOptions } from '#api-server/upload/picture.processes.ts'
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
import { typeOf } from '#contract/picture.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Caller, Handlers, MountOptions } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

export interface UploadsOptions {
  database: Database
  /** Pictures are stored in its folder `uploads`. */
  dataDir: string
  clock: Clock
  log: Log
  /** Encrypts pictures that are not public. */
  secrets: Pick<Secrets, 'sealBytes' | 'openBytes' | 'mac'>
  uidOf: (caller: Caller) => number
  /** Resolves a token to its account; undefined for an invalid token. */
  userOf: (token: string) => Promise<number | undefined>
  scanner?: Scanner
  quota?: UploadQuota
  /** Limits of concurrent re-encoding and its duration. */
  processes?: PictureProcessesOptions['limits']
}

export interface Uploads {
  handlers: Handlers<typeof uploadCalls>
  receive: NonNullable<MountOptions['receive']>
  /** Answers GET /api/upload/:name. */
  page: RequestHandler
  /**
   * Claims a picture of this account for a purpose. `address` is the answer of common.upload.
   * @param field field of the call that named the picture, for the problem
   * @param tx transaction in which to claim it
   * @throws ApiProblem('not_found') when there is no such picture of this account, or the purpose would make a private picture public
   */
  claim(uid: number, address: string, purpose: Exclude<Purpose, 'draft'>, field?: string, tx?: Tx): Promise<string>
  /**
   * Removes a picture of this account and its file. A missing picture is no error.
   * @param tx removes the row only; call `discard` after the commit to remove the file
   */
  remove(uid: number, address: string, tx?: Tx): Promise<void>
  /** Removes the file of a picture whose row was removed. */
  discard(address: string): Promise<void>
  /**
   * Reads a picture that was sent for review. The caller must have checked that a reviewer asks.
   * @param name the last part of its address
   * @returns undefined for an unknown name, for a picture of another purpose, and for an unclaimed one
   */
  readFor(name: string): Promise<{ uid: number; type: string; bytes: Buffer } | undefined>
  /** Keyed hashes of pictures by address, equal for equal bytes. Pictures of earlier releases have none. */
  marksOf(addresses: readonly string[]): Promise<string[]>
  /** Removes unclaimed pictures and files without a row. */
  sweep(): Promise<void>
  counts: PictureProcesses['counts']
  /** Removes files that nothing needs. */
  readonly jobs: readonly PlannedJob[]
  stop(): void
}

const sweepEveryMs = 3_600_000
/** A file is written just before its row. A file of this age without a row never gets one. */
const orphanMs = 3_600_000

export function createUploads({ database, dataDir, clock, log, secrets, uidOf, userOf, ...rest }: UploadsOptions): Uploads {
  const store = createUploadStore(database)
  const files = createPictureFiles(join(dataDir, 'uploads'), secrets)
  const processes = createPictureProcesses({ log, limits: rest.processes })
  const receive = createReceiver()
  const { scanner = noScanner, quota = uploadQuota } = rest

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
    handlers: uploadHandlers({ store, files, processes, scanner, quota, clock, log, secrets, uidOf }),
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
    counts: processes.counts,
    jobs: [{ name: 'uploads', everyMs: sweepEveryMs, work: sweep, atStart: true }],
    stop: processes.stop,
  }
}
