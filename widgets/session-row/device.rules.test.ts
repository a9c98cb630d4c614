import { expect, test } from 'vitest'
import { deviceIcon } from '#widgets/session-row/device.rules.ts'

test.each([
  ['Chrome · Android', 'smartphone'],
  ['Safari · iPhone', 'smartphone'],
  ['Firefox · Windows', 'monitor'],
  ['Safari · macOS', 'monitor'],
  ['curl', 'globe'],
  ['', 'globe'],
])('%j is drawn as %s', (device, icon) => {
  expect(deviceIcon(device)).toBe(icon)
})
