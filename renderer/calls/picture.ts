import { fitted, isOversized, kindOf, type PictureKind, pictureLimits, sizeOf, typeOf } from '#contract/picture.ts'
import { CallProblem } from '#renderer/calls/api.ts'

/** A photo of more pixels is refused before it is decoded: each takes four bytes of memory. */
const decodedPixelsMax = 100_000_000
/** A header ends before this, with the preview and the colours that cameras put in front of it. */
const headerBytesMax = 1_048_576
const qualities = [0.9, 0.75, 0.5]

const refused = (name: 'file_type_refused' | 'file_too_large' | 'picture_too_large') =>
  new CallProblem(name === 'file_type_refused' ? 400 : 413, name, '', 'file')

/** As the content says, whatever the device calls it. */
const named = (blob: Blob, kind: PictureKind) => new File([blob], `picture.${kind === 'jpeg' ? 'jpg' : kind}`, { type: typeOf[kind] })

/**
 * A picture as it is sent: the file itself where the server would keep it as it is, otherwise drawn anew, upright, no larger than the
 * server stores. Judged by content; the name and the type of the file prove nothing.
 * @throws CallProblem file_type_refused for a file that is no picture, picture_too_large or file_too_large for one that cannot be made small
 */
export async function prepared(file: Blob): Promise<File> {
  const head = new Uint8Array(await file.slice(0, headerBytesMax).arrayBuffer())
  const kind = kindOf(head)
  const size = kind && sizeOf(kind, head)
  if (!kind || !size) throw refused('file_type_refused')
  if (!isOversized(size, file.size)) return named(file, kind)
  if (size.width * size.height > decodedPixelsMax) throw refused('picture_too_large')
  const address = URL.createObjectURL(file)
  const canvas = document.createElement('canvas')
  const image = new Image()
  try {
    image.src = address
    await image.decode().catch(() => {
      throw refused('file_type_refused')
    })
    // The orientation that the camera noted is applied by now.
    const { width, height } = fitted({ width: image.naturalWidth, height: image.naturalHeight })
    Object.assign(canvas, { width, height })
    const ink = canvas.getContext('2d')
    if (!ink) throw refused('picture_too_large')
    ink.imageSmoothingQuality = 'high'
    const drawn = () => {
      ink.drawImage(image, 0, 0, width, height)
    }
    drawn()
    if (kind === 'png') {
      const same = await encoded(canvas, 'png')
      if (same && same.size <= pictureLimits.bytesMax) return named(same, 'png')
    }
    // JPEG has no transparency.
    ink.fillStyle = '#fff'
    ink.fillRect(0, 0, width, height)
    drawn()
    for (const quality of qualities) {
      const smaller = await encoded(canvas, 'jpeg', quality)
      if (smaller && smaller.size <= pictureLimits.bytesMax) return named(smaller, 'jpeg')
    }
    throw refused('file_too_large')
  } finally {
    // Frees the pixels at once.
    canvas.width = 0
    image.removeAttribute('src')
    URL.revokeObjectURL(address)
  }
}

const encoded = (canvas: HTMLCanvasElement, kind: PictureKind, quality?: number): Promise<Blob | null> =>
  new Promise((done) => canvas.toBlob(done, typeOf[kind], quality))
