import decodeQR from 'qr/decode.js'
import { fitted } from '#widgets/scan-field/payment.rules.ts'

/** Enough for a code that fills a tenth of a photo, and small enough for an old phone. */
const pictureSideMax = 1_600
const frameSideMax = 640
const pictureTimeMs = 1_500

/** Text of the QR code in a picture. @returns undefined when there is none, or when the file is no picture */
export async function readPicture(file: Blob): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  try {
    // A code that fills a large photo is found in a small one, and a tiny one only in the large.
    for (const most of [frameSideMax, pictureSideMax]) {
      const text = read(bitmap, bitmap.width, bitmap.height, most, pictureTimeMs)
      if (text !== undefined) return text
    }
    return undefined
  } finally {
    bitmap.close()
  }
}

/** Text of the QR code that a camera sees now. @returns undefined until there is one */
export function readFrame(video: HTMLVideoElement): string | undefined {
  return video.videoWidth > 0 ? read(video, video.videoWidth, video.videoHeight, frameSideMax) : undefined
}

function read(source: CanvasImageSource, width: number, height: number, most: number, timeLimit?: number): string | undefined {
  const size = fitted(width, height, most)
  const canvas = document.createElement('canvas')
  canvas.width = size.width
  canvas.height = size.height
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen) return undefined
  // Pictures with holes in them are read as if on paper.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, size.width, size.height)
  pen.drawImage(source, 0, 0, size.width, size.height)
  const { data } = pen.getImageData(0, 0, size.width, size.height)
  try {
    return decodeQR({ ...size, data }, { format: 'RGBA', ...(timeLimit !== undefined && { timeLimit }) }) || undefined
  } catch {
    return undefined
  }
}
