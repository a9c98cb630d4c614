import sharp, { type Sharp } from 'sharp'
import { type PictureKind, pictureKinds, pictureLimits } from '#contract/picture.ts'

/**
 * Process that re-encodes one picture. The kind is the first argument, the permitted time of processor in ms the second; the bytes come on standard
 * input. Standard output is one line of
 * JSON, `{"width":…,"height":…}` or `{"refused":"file_type_refused"}`, followed by the bytes of the new picture. A crash ends this process
 * only.
 */

/** Limit for a process whose parent has died; a living parent ends it earlier. */
const orphanMsMax = 60_000
setTimeout(() => process.exit(1), orphanMsMax).unref()

// All loaders are blocked first, so that loaders of later library versions are blocked too.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] })
sharp.concurrency(1)
sharp.cache(false)

const writers: Record<PictureKind, (picture: Sharp) => Sharp> = {
  jpeg: (picture) => picture.jpeg({ quality: 86 }),
  png: (picture) => picture.png({ compressionLevel: 7 }),
  webp: (picture) => picture.webp({ quality: 84, effort: 2 }),
}

async function input(): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function answer(line: object, bytes: Buffer = Buffer.alloc(0)): void {
  process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), bytes]), () => process.exit(0))
}

async function draw(kind: PictureKind, bytes: Buffer): Promise<void> {
  const source = sharp(bytes, { limitInputPixels: pictureLimits.pixelsMax, failOn: 'error', pages: 1 })
  const { format, width, height } = await source.metadata()
  if (format !== kind) return answer({ refused: 'file_type_refused' })
  if (width * height > pictureLimits.pixelsMax) return answer({ refused: 'picture_too_large' })
  // Metadata is dropped. Its orientation is applied to the pixels first.
  const upright = source
    .autoOrient()
    .resize({ width: pictureLimits.sideMax, height: pictureLimits.sideMax, fit: 'inside', withoutEnlargement: true })
  const { data, info } = await writers[kind](upright).toBuffer({ resolveWithObject: true })
  if (data.length > pictureLimits.keptBytesMax || tookTooLong()) return answer({ refused: 'picture_too_large' })
  answer({ width: info.width, height: info.height }, data)
}

const kind = pictureKinds.find((one) => one === process.argv[2])
const coreMsMax = Number(process.argv[3])
if (!kind || !(coreMsMax > 0)) process.exit(64)
// Pictures are decoded and encoded in other threads, so the timer runs meanwhile.
setInterval(() => {
  if (tookTooLong()) answer({ refused: 'picture_too_large' })
}, 100)
function tookTooLong(): boolean {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 > coreMsMax
}
draw(kind, await input()).catch((error: unknown) => {
  const refused = /pixel limit/i.test(String(error)) ? 'picture_too_large' : 'file_type_refused'
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  answer({ refused })
})
