import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { multipartLimits } from '#api-server/upload/upload.receive.ts'
import { isName } from '#api-server/upload/upload.rules.ts'
import { type PictureKind, pictureLimits, typeOf } from '#contract/picture.ts'
import { badInputs, nameOf } from '#tests/support/bad-inputs.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { eventually } from '#tests/support/eventually.ts'
import { everyNth } from '#tests/support/house/sizes.ts'
import { envelopeOf, refusal } from '#tests/support/servers/envelope.ts'
import { boundary, multipart, openUploadStage, type Part, png, type UploadStage } from '#tests/support/servers/upload-stage.ts'

const draw = (kind: PictureKind, width = 8, height = 6) =>
  sharp({ create: { width, height, channels: 3, background: '#c30' } })
    .toFormat(kind)
    .toBuffer()

/** The bytes of a row of the table: base64, or a description. */
function contentOf(value: unknown): Buffer | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('$base64' in value) return Buffer.from(String(value.$base64), 'base64')
  if (!('$gen' in value) || value.$gen !== 'gif') return undefined
  const frame = Buffer.from('21f90400010000002c000000000100010000020244010000', 'hex')
  return Buffer.concat([
    Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1'),
    ...Array(10_000).fill(frame),
    Buffer.from(';'),
  ])
}

onEngines('uploads', (engine) => {
  let stage: UploadStage
  let picture: Buffer
  beforeAll(async () => {
    ;[stage, picture] = await Promise.all([
      openUploadStage(engine, { quota: { picturesPerDay: 10_000, bytesPerDay: 1e12, picturesKept: 10_000, proofsKept: 10_000 } }),
      draw('png'),
    ])
  })
  afterAll(() => stage?.end())

  const rows = async () => stage.database.db.selectFrom('upload').selectAll().orderBy('name').execute()
  /** Asserts that neither a row nor a file was stored. */
  async function nothingKept(work: () => Promise<void>): Promise<void> {
    const before = [await rows(), stage.files().sort()]
    await work()
    expect([await rows(), stage.files().sort()]).toEqual(before)
  }
  /** Uploads a picture and reads it back. */
  async function kept(parts: readonly Part[]): Promise<Buffer> {
    const { data } = envelopeOf(await stage.send(parts))
    const name = String(data?.url).replace('/api/upload/', '')
    expect(isName(name)).toBe(true)
    expect(stage.files()).toContain(name)
    return (await stage.get(String(data?.url), 'ann')).body
  }

  test.each<[PictureKind, string]>([
    ['jpeg', 'photo.jpg'],
    ['png', 'photo.png'],
    ['webp', 'photo.webp'],
  ])('%s is re-encoded, stored, and answered with its size', async (kind, filename) => {
    const answer = envelopeOf(await stage.send([{ name: 'file', filename, type: typeOf[kind], content: await draw(kind, 30, 20) }]))
    expect(answer.data).toMatchObject({ purpose: 'draft', type: typeOf[kind], width: 30, height: 20 })
    const back = await stage.get(String(answer.data?.url), 'ann')
    expect(await sharp(back.body).metadata()).toMatchObject({ format: kind, width: 30, height: 20 })
    expect(back.body).toHaveLength(Number(answer.data?.size))
  })

  test('metadata is dropped, the orientation applied, large pictures scaled down, trailing bytes removed', async () => {
    const tagged = await sharp(await draw('jpeg', 3_000, 1_000))
      .withExif({ IFD0: { Orientation: '6', Copyright: 'secret-place' }, IFD3: { GPSLatitude: '1/1 2/1 3/1' } })
      .withIccProfile('p3')
      .toBuffer()
    const oriented = await sharp(tagged).keepMetadata().withMetadata({ orientation: 6 }).toBuffer()
    expect(oriented.includes('secret-place')).toBe(true)
    const back = await kept([
      { name: 'file', filename: 'a.jpg', type: 'image/jpeg', content: Buffer.concat([oriented, Buffer.from('<script>')]) },
    ])
    const { exif, icc, xmp, iptc, orientation, width, height } = await sharp(back).metadata()
    expect({ exif, icc, xmp, iptc, orientation }).toEqual({})
    expect([width, height]).toEqual([853, pictureLimits.sideMax])
    for (const left of ['secret-place', '<script>', 'Exif']) expect(back.includes(left)).toBe(false)
  })

  describe('content', () => {
    const lines = badInputs('file-content').length
    const all = badInputs('file-content').map((line) => ({ line, content: contentOf(line.value) }))
    test('every row of the table has a test', () => expect(lines).toBeGreaterThanOrEqual(11))
    test.each(all.flatMap(({ line, content }) => (content ? [[nameOf(line), line.note, content] as const] : [])))(
      '%s',
      async (_name, note, content) => {
        for (const [filename, type] of [
          ['x.png', 'image/png'],
          ['x.jpg', 'image/jpeg'],
          ['x.webp', 'image/webp'],
        ] as const) {
          if (note.startsWith('accept')) {
            const back = await kept([{ name: 'file', filename, type, content }])
            expect(back.includes('script')).toBe(false)
          } else
            await nothingKept(async () => {
              const answer = refusal(await stage.send([{ name: 'file', filename, type, content }]))
              expect(answer).toMatch(/^4\d\d (?:file_type_refused|picture_too_large) file$/)
            })
        }
      },
    )
  })

  describe('names', () => {
    const lines = everyNth(badInputs('filename'), 3).map((line) => [nameOf(line), line.note, String(line.value)] as const)
    test.each(lines)('%s', async (_name, note, filename) => {
      const answer = await stage.send([png(picture, filename.replaceAll('"', '%22'))])
      expect(answer.headers['set-cookie']).toBeUndefined()
      if (answer.status === 200) expect(isName(String(envelopeOf(answer).data?.url).slice('/api/upload/'.length))).toBe(true)
      else expect(refusal(answer)).toMatch(/^4\d\d (?:file_type_refused file|body_unreadable|parameter_missing file)$/)
      if (/^stored/.test(note)) expect(answer.status).toBe(200)
      for (const file of stage.files()) expect(isName(file)).toBe(true)
    })
  })

  describe('bodies', () => {
    const named = (name: string | undefined): Part => ({
      ...(name !== undefined && { name }),
      filename: 'x.png',
      type: 'image/png',
      content: picture,
    })
    const text = (name: string, content = 'x'): Part => ({ name, content })
    const many = (count: number, make: (i: number) => Part) => Array.from({ length: count }, (_, i) => make(i))
    test.each<[string, () => Parameters<UploadStage['send']>[0], RegExp]>([
      ['closing boundary missing', () => multipart([png(picture)], { closed: false }), /^400 body_unreadable$/],
      ['2000 file parts in one request', () => many(2_000, () => png(picture)), /^400 parameter_error/],
      ['two parts named file', () => [png(picture), png(picture)], /^400 parameter_error/],
      ['part with no name', () => [named(undefined)], /^400 (?:parameter_error|parameter_missing)/],
      ['part named evil', () => [named('evil')], /^400 parameter_error evil$/],
      ['500 text parts in one request', () => many(500, (i) => text(`t${i}`)), /^400 parameter_error/],
      [
        'Content-Type image/png over HTML bytes',
        () => [png(Buffer.from('<html><script>x</script></html>'))],
        /^415 file_type_refused file$/,
      ],
      ['no part at all', () => multipart([]), /^400 (?:body_unreadable|parameter_missing file)$/],
      ['empty body', () => Buffer.alloc(0), /^400 (?:body_unreadable|parameter_missing file)$/],
      ['no file', () => [text('purpose', 'avatar')], /^400 parameter_missing file$/],
      ['the file as text', () => [text('file', 'aaaa')], /^400 parameter_missing file$/],
      ['a doubled field', () => [text('purpose', 'avatar'), text('purpose', 'proof'), png(picture)], /^400 parameter_error purpose$/],
      ['an unknown purpose', () => [text('purpose', 'public'), png(picture)], /^400 parameter_error purpose$/],
      ['a nested name', () => [text('purpose[a]', 'avatar'), png(picture)], /^400 parameter_error purpose\[a\]$/],
      ['a long text', () => [text('lang', 'x'.repeat(multipartLimits.fieldSize + 1)), png(picture)], /^400 parameter_error lang$/],
      ['NUL in a text', () => [text('lang', 'e\0n'), png(picture)], /^400 parameter_error lang$/],
      [
        'a byte over 5 MB',
        () => [png(Buffer.concat([picture, Buffer.alloc(pictureLimits.bytesMax + 1 - picture.length)]))],
        /^413 file_too_large file$/,
      ],
      ['20 MB', () => [png(Buffer.concat([picture, Buffer.alloc(20_000_000)]))], /^413 file_too_large file$/],
    ])('%s: refused with a problem', (_name, body, refused) =>
      nothingKept(async () => {
        expect(refusal(await stage.send(body()))).toMatch(refused)
        expect(stage.uploads.counts()).toMatchObject({ running: 0, waiting: 0 })
      }),
    )

    test('exactly 5 MB is not too large', async () => {
      await kept([png(Buffer.concat([picture, Buffer.alloc(pictureLimits.bytesMax - picture.length)]))])
    })

    test('member names of Object.prototype have no effect', async () => {
      const parts = [text('__proto__', 'x'), text('constructor', 'x'), text('toString', 'x'), png(picture)]
      expect((await stage.send(parts)).status).toBe(200)
      for (const one of ['__proto__[polluted]', 'constructor[prototype][polluted]']) await stage.send([text(one), png(picture)])
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    })

    test.each<[string, Record<string, string>]>([
      ['another content type', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['another kind of multipart', { 'content-type': `multipart/mixed; boundary=${boundary}` }],
      ['no boundary', { 'content-type': 'multipart/form-data' }],
    ])('%s', (_name, headers) =>
      nothingKept(async () => expect(refusal(await stage.send([png(picture)], 'ann', headers))).toBe('400 body_unreadable')),
    )

    test('a body announced as far too large is refused before it is read', () =>
      nothingKept(async () => {
        const answer = await new Promise<string>((resolve, reject) => {
          const headers = { authorization: 'ann', 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': 1e12 }
          const req = request(`${stage.origin}/api/common/upload`, { method: 'POST', headers, agent: false }, (res) => {
            resolve(`${res.statusCode} ${res.headers.connection}`)
            req.destroy()
          })
          req.on('error', reject)
          req.write('--')
        })
        expect(answer).toBe('413 close')
      }))

    test.each([0.02, 0.5, 0.95])('an upload that breaks off after %d of the body stores nothing and frees its place', (part) =>
      nothingKept(async () => {
        const body = multipart([png(picture)])
        for (let i = 0; i < 8; i++) {
          await new Promise<void>((done) => {
            const headers = {
              authorization: 'ann',
              'content-type': `multipart/form-data; boundary=${boundary}`,
              'content-length': body.length,
            }
            const req = request(`${stage.origin}/api/common/upload`, { method: 'POST', headers, agent: false })
            req.on('error', () => undefined)
            req.on('close', () => done())
            req.write(body.subarray(0, Math.floor(body.length * part)), () => setTimeout(() => req.destroy(), 5))
          })
        }
        await sleep(50)
      }).then(async () => {
        await eventually(async () => (await stage.send([png(picture)])).status).toBe(200)
      }),
    )
  })

  test.each<[string, string | null]>([
    ['nobody', null],
    ['an invalid token', 'eve'],
    ['a member name of Object.prototype', '__proto__'],
  ])('%s is refused before the file is checked', (_name, token) =>
    nothingKept(async () => expect(refusal(await stage.send([png(Buffer.from('x'))], token))).toBe('401 unauthorized')),
  )

  test('the refusal is in the language of the request', async () => {
    const answer = envelopeOf(await stage.send([{ name: 'lang', content: 'fr' }, png(Buffer.from('x'))], 'ann', { lang: 'fr' }))
    expect(answer.msg).toBe('Seules les images JPEG, PNG et WebP sont acceptées')
  })

  test('equal pictures have equal keyed hashes, and different ones different hashes; none is a plain hash', async () => {
    const marks = new Map<string, Set<string | null>>()
    for (const { sha256, mark } of await rows()) marks.set(sha256, (marks.get(sha256) ?? new Set()).add(mark))
    expect((await rows()).length).toBeGreaterThan(marks.size)
    const all = [...marks.values()].flatMap((own) => [...own])
    expect([all.length, new Set(all).size]).toEqual([marks.size, marks.size])
    for (const [sha256, [mark]] of marks) expect(['', sha256, Buffer.from(sha256, 'hex').toString('base64url')]).not.toContain(mark ?? '')
  })
})
