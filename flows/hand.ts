import type { Locator } from 'playwright'
import encodeQR from 'qr'
import sharp from 'sharp'

/**
 * Gives a file control a picture with a QR code of `text`, so that both uploads and scanners find something in it. Resolves after the
 * picture was sent or read.
 */
export async function handOver(element: Locator, text: string): Promise<void> {
  const drawn = Buffer.from(encodeQR(text || 'picture', 'svg', { scale: 4, border: 4 }))
  const buffer = await sharp(drawn).flatten({ background: 'white' }).png().toBuffer()
  await element.locator('input[type=file]').first().setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer })
  await element.locator('img, output, [role=alert]').first().waitFor({ state: 'attached' })
  await element.locator('progress').first().waitFor({ state: 'detached' })
}
