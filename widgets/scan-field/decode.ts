import decodeQR from 'qr/decode.js'
import { fitted } from '#widgets/scan-field/size.rules.ts'

/** Large enough for a code that fills a tenth of a photo, small enough for an old phone. */
const pictureSideMax = 1_600
const frameSideMax = 640
const pictureTimeMs = 1_500

/** Text of the QR code in a picture. @returns undefined without a code, or when the file is not a picture */
export async function readPicture(file: Blob): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  try {
    // A code that fills a photo is found at a small size, a tiny code only at a large size.
    for (const most of [frameSideMax, pictureSideMax]) {
      const text = read(bitmap, bitmap.width, bitmap.height, most, pictureTimeMs)
      if (text !== undefined) return text
    }
    return undefined
  } finally {
    bitmap.close()
  }
}

/** Text of the QR code in the current camera frame. @returns undefined without a code */
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
  // Transparent pictures are drawn on white.
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
