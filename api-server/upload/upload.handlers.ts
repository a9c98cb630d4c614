import { createHash, randomBytes } from 'node:crypto'
import type { PictureProcesses } from '#api-server/upload/picture.processes.ts'
import { judge } from '#api-server/upload/picture.rules.ts'
import type { Scanner } from '#api-server/upload/scanner.ts'
import type { PictureFiles } from '#api-server/upload/upload.files.ts'
import { addressOf, dayOf, isPublic, nameBytes, type UploadQuota } from '#api-server/upload/upload.rules.ts'
import type { UploadRow, UploadStore } from '#api-server/upload/upload.store.ts'
import type { uploadCalls } from '#contract/calls/common.calls.ts'
import { typeOf } from '#contract/picture.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Caller, Handlers, UploadedFile } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

interface UploadDeps {
  store: UploadStore
  files: PictureFiles
  processes: PictureProcesses
  scanner: Scanner
  quota: UploadQuota
  clock: Clock
  log: Log
  secrets: Pick<Secrets, 'mac'>
  /** uid of the caller; called only after the caller was authenticated. */
  uidOf: (caller: Caller) => number
}

export function uploadHandlers({
  store,
  files,
  processes,
  scanner,
  quota,
  clock,
  log,
  secrets,
  uidOf,
}: UploadDeps): Handlers<typeof uploadCalls> {
  async function verdict(file: UploadedFile, kind: UploadRow['kind'], uid: number): Promise<void> {
    let found: Awaited<ReturnType<Scanner>>
    try {
      found = await scanner(file.bytes, kind)
    } catch (cause) {
      log.error({ err: cause }, 'upload: the scanner failed; the file is refused')
      throw new ApiProblem('busy', { cause })
    }
    if (found === 'ok') return
    log.warn({ uid, sha256: createHash('sha256').update(file.bytes).digest('hex') }, 'upload: the scanner refused a file')
    throw new ApiProblem('file_refused', { field: 'file' })
  }

  async function keep(row: UploadRow, bytes: Buffer): Promise<void> {
    await files.write(row.name, bytes, !isPublic(row.purpose))
    try {
      if (!(await store.insert(row, quota))) throw new ApiProblem('upload_quota')
    } catch (error) {
      await files.remove(row.name)
      throw error
    }
  }

  return {
    'common.upload': async ({ purpose }, caller) => {
      const uid = uidOf(caller)
      const file = caller.file
      if (!file) throw new ApiProblem('parameter_missing', { field: 'file' })
      const { outcome, kind } = judge(file)
      if (outcome !== 'looks right' || !kind)
        throw new ApiProblem(outcome === 'looks right' ? 'file_type_refused' : outcome, { field: 'file' })
      const now = clock.now()
      if (!(await store.count(uid, dayOf(now), file.bytes.length, quota))) throw new ApiProblem('upload_quota')
      await verdict(file, kind, uid)
      const { bytes, width, height } = await processes.draw(kind, file.bytes, file.gone)
      const name = randomBytes(nameBytes).toString('hex')
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const mark = secrets.mac('picture', sha256).toString('base64url')
      const about = { name, uid, purpose, kind, width, height, bytes: bytes.length, sha256, mark }
      await keep({ ...about, created_at: now, claimed_at: null }, bytes)
      return { url: addressOf(name), purpose, type: typeOf[kind], width, height, size: bytes.length }
    },
  }
}
