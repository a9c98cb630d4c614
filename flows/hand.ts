import type { Locator } from 'playwright'
import { toBuffer } from 'qrcode'

const sentMs = 10_000

/**
 * Gives a file control a picture with a QR code of `text`, so that both uploads and scanners find something in it. Resolves after the
 * picture was sent or read.
 */
export async function handOver(element: Locator, text: string): Promise<void> {
  await element
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: await toBuffer(text || 'picture', { type: 'png' }) })
  await element.locator('img, output, [role=alert]').first().waitFor({ state: 'attached', timeout: sentMs })
  await element.locator('progress').first().waitFor({ state: 'detached', timeout: sentMs })
}
