import sharp from 'sharp'
import { bearing, dataOf } from '#tests/support/people/accounts.ts'
import type { TestApi } from '#tests/support/servers/api.ts'
import { boundary, multipart, png, sendBytes } from '#tests/support/servers/upload-stage.ts'

const picture = sharp({ create: { width: 16, height: 10, channels: 3, background: '#2a6' } })
  .png()
  .toBuffer()

/** Uploads a picture as a customer does. @returns its address */
export async function sendPicture(api: TestApi, token: string, purpose = 'identity'): Promise<string> {
  const body = multipart([{ name: 'purpose', content: purpose }, png(await picture)])
  const headers = { ...bearing(token), 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) }
  return String(dataOf(await sendBytes(api.origin, '/api/common/upload', body, headers)).url)
}

export const realPaper = { id_type: 'id_card', name: 'Ann Wintersmith', card_id: '110105-19491231-002X' }
/** Fields of level 2, with pictures uploaded before. */
export const authPaper = (front_pic: string, reverse_pic: string) => ({
  id_type: 'driver_licence',
  name: 'Ann Wintersmith',
  idnumber: 'MH12 20080012345',
  front_pic,
  reverse_pic,
})
/** Values that must never be readable in the database or in an answer. */
export const paperSecrets = ['Wintersmith', '19491231', '110105', 'MH1220080012345', '20080012345']
