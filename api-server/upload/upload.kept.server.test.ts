import { utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createPictureProcesses, pictureProcessLimits } from '#api-server/upload/picture.processes.ts'
import { createPictureFiles } from '#api-server/upload/upload.files.ts'
import { draftKeptMs } from '#api-server/upload/upload.rules.ts'
import type { UploadsOptions } from '#api-server/upload/uploads.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { eventually } from '#tests/support/eventually.ts'
import { envelopeOf, refusal } from '#tests/support/servers/envelope.ts'
import { openUploadStage, png, type UploadStage } from '#tests/support/servers/upload-stage.ts'

const log = createLog('silent')
const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#0c3' } })
  .png()
  .toBuffer()
/** A process that does not answer and does not end by itself. */
const hangs = [process.execPath, '-e', 'setInterval(() => {}, 1000)'] as const
const running = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

onEngines('kept pictures', (engine) => {
  async function staged(options: Partial<UploadsOptions>, work: (stage: UploadStage) => Promise<void>): Promise<void> {
    const stage = await openUploadStage(engine, options)
    try {
      await work(stage)
    } finally {
      await stage.end()
    }
  }
  const sent = async (stage: UploadStage, purpose?: string, token = 'ann') => {
    const { data } = envelopeOf(await stage.send([...(purpose ? [{ name: 'purpose', content: purpose }] : []), png(picture)], token))
    return String(data?.url)
  }
  const notFound = async (stage: UploadStage, ...ask: Parameters<UploadStage['get']>) => refusal(await stage.get(...ask))

  test('avatars are public, other pictures are served to their owner only, and no picture is served as a page', () =>
    staged({}, async (stage) => {
      for (const purpose of ['draft', 'avatar', 'identity', 'proof']) {
        const url = await sent(stage, purpose)
        const everybody = purpose === 'avatar'
        for (const token of [undefined, 'ann', 'bob', 'eve']) {
          const answer = await stage.get(url, token)
          if (!everybody && token !== 'ann') {
            expect(refusal(answer), `${purpose} to ${token}`).toBe('404 not_found')
            continue
          }
          expect(answer.status, `${purpose} to ${token}`).toBe(200)
          expect(answer.headers).toMatchObject({
            'content-type': 'image/png',
            'x-content-type-options': 'nosniff',
            'content-disposition': 'attachment; filename="picture.png"',
            'cross-origin-resource-policy': 'same-origin',
            'cache-control': everybody ? 'public, max-age=86400, immutable' : 'no-store',
          })
          expect(String(answer.headers['content-security-policy']).split(';')).toEqual(
            expect.arrayContaining(["default-src 'none'", 'sandbox']),
          )
          const etag = String(answer.headers.etag)
          expect((await stage.get(url, token, { 'if-none-match': etag })).status).toBe(304)
        }
        // Neither a matching etag nor a HEAD request reveals that it exists.
        if (!everybody) expect((await stage.get(url, 'bob', { 'if-none-match': '*' }, 'HEAD')).status).toBe(404)
      }
      const url = await sent(stage, 'avatar')
      const head = await stage.get(url, undefined, {}, 'HEAD')
      expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, String((await stage.get(url)).body.length)])
      const guesses = [
        'a'.repeat(40),
        '..%2f..%2fpackage.json',
        '../../package.json',
        '%00',
        `${url.slice(12)}%00.png`,
        `${url.slice(12)}.part`,
        '%zz',
        '__proto__',
      ]
      for (const guess of guesses) expect(await notFound(stage, `/api/upload/${guess}`), guess).toBe('404 not_found')
    }))

  test('only the owner claims a picture for a purpose, and it never becomes more public than it was uploaded for', () =>
    staged({}, async (stage) => {
      const claim = (uid: number, url: string, purpose: 'avatar' | 'identity' | 'proof') => stage.uploads.claim(uid, url, purpose)
      const draft = await sent(stage)
      await expect(claim(2, draft, 'avatar')).rejects.toMatchObject({ code: 'not_found', field: 'url' })
      expect(await notFound(stage, draft)).toBe('404 not_found')
      expect(await claim(1, draft, 'avatar')).toBe(draft)
      expect(await claim(1, draft, 'avatar')).toBe(draft)
      expect((await stage.get(draft)).status).toBe(200)
      const identity = await sent(stage, 'identity')
      for (const [url, purpose] of [
        [identity, 'avatar'],
        [identity, 'proof'],
        [draft, 'identity'],
      ] as const)
        await expect(claim(1, url, purpose)).rejects.toMatchObject({ code: 'not_found' })
      for (const url of ['', '/icon.svg', `https://evil.example${draft}`, `/api/upload/${'0'.repeat(40)}`, `${draft}/../x`])
        await expect(claim(1, url, 'avatar')).rejects.toMatchObject({ code: 'not_found' })
      expect(await notFound(stage, identity, 'bob')).toBe('404 not_found')
      await stage.uploads.remove(2, draft)
      expect((await stage.get(draft)).status).toBe(200)
      await stage.uploads.remove(1, draft)
      expect(await notFound(stage, draft)).toBe('404 not_found')
      expect(stage.files()).toEqual([identity.slice('/api/upload/'.length)])
    }))

  test('unclaimed pictures are removed after a day, files without a row after an hour, and nothing else', { tags: 'full' }, () =>
    staged({}, async (stage) => {
      const [draft, taken, avatar] = [await sent(stage), await sent(stage), await sent(stage, 'avatar')]
      const paper = await sent(stage, 'identity')
      expect(await stage.uploads.readFor(paper.slice('/api/upload/'.length))).toBeUndefined()
      await stage.uploads.claim(1, taken, 'proof')
      await stage.uploads.sweep()
      expect(stage.files()).toHaveLength(4)
      stage.clock.set(Date.now() + draftKeptMs + 60_000)
      await stage.uploads.sweep()
      expect(stage.files().sort()).toEqual([taken, avatar].map((url) => url.slice('/api/upload/'.length)).sort())
      for (const gone of [draft, paper]) expect(await notFound(stage, gone, 'ann')).toBe('404 not_found')
    }),
  )

  test('daily quota: the third picture is refused before it is decoded; other accounts and the next day are not affected', () =>
    staged({ quota: { picturesPerDay: 2, bytesPerDay: 1e9, picturesKept: 100, proofsKept: 100 } }, async (stage) => {
      stage.clock.set(1_800_000_000_000)
      const answers = await Promise.all([1, 2, 3].map(() => stage.send([png(picture)])))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429])
      expect(refusal(await stage.send([png(picture)]))).toBe('429 upload_quota')
      expect(stage.files()).toHaveLength(2)
      await sent(stage, undefined, 'bob')
      stage.clock.set(1_800_000_000_000 + 86_400_000)
      await sent(stage)
    }))
  test.each([
    ['bytes of a day', { picturesPerDay: 9, bytesPerDay: picture.length * 2, picturesKept: 9, proofsKept: 9 }],
    ['stored pictures', { picturesPerDay: 9, bytesPerDay: 1e9, picturesKept: 2, proofsKept: 9 }],
  ])('quota of %s', (_name, quota) =>
    staged({ quota }, async (stage) => {
      for (let i = 0; i < 2; i++) await sent(stage)
      expect(refusal(await stage.send([png(picture)]))).toBe('429 upload_quota')
    }),
  )

  test('pictures claimed as a proof are counted separately from other stored pictures', { tags: 'full' }, () =>
    staged({ quota: { picturesPerDay: 9, bytesPerDay: 1e9, picturesKept: 2, proofsKept: 3 } }, async (stage) => {
      const take = async () => stage.uploads.claim(1, await sent(stage), 'proof')
      for (let i = 0; i < 3; i++) await take()
      expect(refusal(await stage.send([png(picture)]))).toBe('429 upload_quota')
      await stage.database.db.deleteFrom('upload').where('purpose', '=', 'proof').execute()
      for (let i = 0; i < 2; i++) await take()
      for (let i = 0; i < 2; i++) await sent(stage, 'avatar')
      expect(refusal(await stage.send([png(picture)]))).toBe('429 upload_quota')
    }),
  )

  test.each<[string, UploadsOptions['scanner'], string]>([
    ['calls it bad', async () => 'bad', '403 file_refused file'],
    ['fails', async () => Promise.reject(new Error('scanner gone')), '503 busy'],
  ])('a scanner that %s: the file is neither stored nor served', (_name, scanner, refused) =>
    staged({ scanner }, async (stage) => {
      expect(refusal(await stage.send([png(picture)]))).toBe(refused)
      expect([stage.files(), await stage.database.db.selectFrom('upload').selectAll().execute()]).toEqual([[], []])
    }),
  )
  test('the scanner gets the original file', async () => {
    const seen: string[] = []
    const scanner: UploadsOptions['scanner'] = async (bytes, kind) => {
      seen.push(`${kind} ${bytes.equals(picture)}`)
      return 'ok'
    }
    await staged({ scanner }, async (stage) => void (await sent(stage)))
    expect(seen).toEqual(['png true'])
  })

  test('a row whose file is missing answers "not found", not a server error', { tags: 'full' }, () =>
    staged({}, async (stage) => {
      const url = await sent(stage, 'avatar')
      await stage.database.db
        .updateTable('upload')
        .set({ name: 'b'.repeat(40) })
        .execute()
      expect(await notFound(stage, `/api/upload/${'b'.repeat(40)}`)).toBe('404 not_found')
      expect(await notFound(stage, url)).toBe('404 not_found')
    }),
  )
})

describe('the process of pictures', () => {
  test('a process that does not end is killed in time, and its place is free again', async () => {
    const processes = createPictureProcesses({ log, command: hangs, limits: { ...pictureProcessLimits, jobMsMax: 300 } })
    const pids: number[] = []
    const work = [1, 2, 3, 4].map(() => processes.draw('png', picture))
    const outcomes = Promise.allSettled(work)
    await eventually(() => processes.counts()).toMatchObject({ running: 2, waiting: 2 })
    pids.push(...processes.pids())
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'busy' } })
    expect(processes.counts()).toEqual({ running: 0, waiting: 0, killed: 4 })
    expect(pids).toHaveLength(2)
    expect(pids.filter(running)).toEqual([])
  })
  test('the product’s limits are ten seconds of work and two pictures at once', () => {
    expect(pictureProcessLimits).toMatchObject({ jobsMax: 2, coreMsMax: 10_000 })
  })
  test('a picture that takes too much work is refused; a good one on a slow machine may be sent again', { tags: 'full' }, async () => {
    const little = createPictureProcesses({ log, limits: { ...pictureProcessLimits, coreMsMax: 1, jobMsMax: 120_000 } })
    await expect(little.draw('jpeg', await hardPicture('jpeg', 2_500))).rejects.toMatchObject({ code: 'picture_too_large' })
    const slow = createPictureProcesses({ log, limits: { ...pictureProcessLimits, jobMsMax: 1 } })
    await expect(slow.draw('png', picture)).rejects.toMatchObject({ code: 'busy' })
  })
  test('a full queue refuses with busy; a disconnected client’s picture is not decoded; stopping refuses waiting ones', async () => {
    const processes = createPictureProcesses({ log, command: hangs, limits: { ...pictureProcessLimits, waitingMax: 2, waitMsMax: 400 } })
    const left = new AbortController()
    const work = [undefined, left.signal, left.signal, undefined, undefined].map((gone) => processes.draw('png', picture, gone))
    const outcomes = Promise.allSettled(work)
    await expect(work[4]).rejects.toMatchObject({ code: 'busy' })
    left.abort()
    await eventually(() => processes.counts().running).toBe(2)
    await eventually(() => processes.counts().waiting).toBe(0)
    processes.stop()
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected' })
    await eventually(() => processes.counts().running).toBe(0)
    await expect(processes.draw('png', picture)).rejects.toMatchObject({ code: 'busy' })
  })
  test.each<[string, string, string]>([
    ['crashes', 'process.abort()', 'file_type_refused'],
    ['says nothing', 'process.exit(0)', 'file_type_refused'],
    ['says nonsense', 'console.log("{{{")', 'file_type_refused'],
    ['writes without end', 'const w = () => process.stdout.write(Buffer.alloc(1e6), w); w()', 'picture_too_large'],
  ])('a process that %s refuses its own picture only', async (_name, script, code) => {
    const processes = createPictureProcesses({ log, command: [process.execPath, '-e', script] })
    await expect(processes.draw('png', picture)).rejects.toMatchObject({ code })
    expect(processes.counts()).toMatchObject({ running: 0, waiting: 0 })
  })
  test('the process does not get the settings of the server', async () => {
    const script = 'process.stdout.write(JSON.stringify({ width: 1, height: 1 }) + "\\n" + Object.keys(process.env).sort().join())'
    const drawn = await createPictureProcesses({ log, command: [process.execPath, '-e', script] }).draw('png', picture)
    expect(drawn.bytes.toString()).toBe('UV_THREADPOOL_SIZE,VIPS_CONCURRENCY')
  })
  test('demanding pictures are re-encoded in time', { tags: 'full' }, async () => {
    const processes = createPictureProcesses({ log, limits: { ...pictureProcessLimits, coreMsMax: 50_000, jobMsMax: 50_000 } })
    for (const kind of ['jpeg', 'webp'] as const) {
      const hard = await hardPicture(kind)
      const { width, height } = await processes.draw(kind, hard)
      expect([width, height]).toEqual([2_560, 2_560])
    }
  })
})

/** A square of noise, by default of 25 megapixels. The file exceeds the upload limit, but it is not uploaded here. */
const hardPicture = (kind: 'jpeg' | 'webp', side = 5_000) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 20 } } })
    .toFormat(kind, { quality: 20 })
    .toBuffer()

test('unfinished files and files without a row are removed by age', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tessera-files-'))
  try {
    const files = createPictureFiles(dir, createSecrets('a key that is long enough for tests'))
    const [old, young] = ['a'.repeat(40), `aa${'b'.repeat(38)}`]
    await files.write(old, picture, true)
    await files.write(young, picture, false)
    await expect(files.write(old, Buffer.from('other'), false)).resolves.toBeUndefined()
    await expect(files.write('../../x', picture, true)).rejects.toThrow()
    await expect(files.read('../../x')).rejects.toThrow()
    writeFileSync(join(dir, 'aa', `${'c'.repeat(40)}.part`), 'half')
    for (const name of [old, `${'c'.repeat(40)}.part`]) utimesSync(join(dir, 'aa', name), 1, 1)
    const found: string[] = []
    for await (const names of files.older(Date.now() - 60_000)) found.push(...names)
    expect(found).toEqual([old])
    expect(await files.read('c'.repeat(40))).toBeUndefined()
    await sleep(1)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
