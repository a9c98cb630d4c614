import { expect, test } from 'vitest'
import { type Boot, decideBoot, logPosition, type Marker, wrongCluster } from '#server-kit/files/marker.ts'

const ready: Marker = { format: 1, state: 'ready', cluster: '7', checkpoint: '0/2000000' }
const creating: Marker = { format: 1, state: 'creating' }
const gone = { exists: false, hasVersion: false, hasControl: false }
const whole = { exists: true, hasVersion: true, hasControl: true }
const noVersion = { exists: true, hasVersion: false, hasControl: true }
const noControl = { exists: true, hasVersion: true, hasControl: false }

test.each<[name: string, marker: Marker | undefined, folder: typeof gone, boot: Boot | 'refuse']>([
  ['nothing there', undefined, gone, 'create'],
  ['first start cut off before the folder', creating, gone, 'create'],
  ['first start cut off inside', creating, noControl, 'rebuild'],
  ['first start cut off at its end', creating, whole, 'rebuild'],
  ['half a folder of unknown origin', undefined, noVersion, 'rebuild'],
  ['a whole folder of unknown origin', undefined, whole, 'adopt'],
  ['as usual', ready, whole, 'open'],
  ['the folder is gone', ready, gone, 'refuse'],
  ['PG_VERSION is gone', ready, noVersion, 'refuse'],
  ['the control file is gone', ready, noControl, 'refuse'],
])('%s', (_name, marker, folder, boot) => {
  const decided = decideBoot(marker, folder)
  if (boot === 'refuse') expect(decided).toMatchObject({ refuse: expect.any(String) })
  else expect(decided).toBe(boot)
})

test('positions in the log compare as numbers, not as text', () => {
  expect(logPosition('0/9') < logPosition('0/10')).toBe(true)
  expect(logPosition('9/FFFFFFFF') < logPosition('A/0')).toBe(true)
  expect(logPosition('16/B374D848')).toBe(0x16b374d848n)
})

test.each<[name: string, cluster: string, checkpoint: string, wrong: RegExp | undefined]>([
  ['the same', '7', '0/2000000', undefined],
  ['gone on since', '7', '1/0', undefined],
  ['another', '8', '1/0', /another database/],
  ['older', '7', '0/1FFFFFF', /older copy/],
])('cluster: %s', (_name, cluster, checkpoint, wrong) => {
  const found = wrongCluster(ready, cluster, checkpoint)
  if (wrong) expect(found).toMatch(wrong)
  else expect(found).toBeUndefined()
})
