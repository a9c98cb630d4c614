import { expect, test } from 'vitest'
import { showProblem } from '#config-server/check.ts'
import words from '#console/locales/en/desk.json'
import { accountKinds, eventKinds } from '#contract/accounts.ts'
import { deskActions } from '#contract/calls/desk.rows.ts'
import { rechargeStates, withdrawChannels, withdrawStates } from '#contract/calls/funding.calls.ts'
import { idTypes } from '#contract/calls/identity.calls.ts'
import { readDesk } from '#scripts/desk.ts'

const desk = await readDesk(process.cwd())

test('the documents of the back office can be published: names, types, routes and words hold', () => {
  expect(desk.problems.filter(({ severity }) => severity === 'error').map(showProblem)).toEqual([])
})

test('nothing of the back office is unused', () => {
  // The areas of the app have texts for customers alone, and components of the console use texts of their own.
  const own = desk.problems.filter(
    ({ severity, file }) => severity === 'warn' && (file.startsWith('schemas/') || /\/desk\.json$/.test(file)),
  )
  expect(own.map(showProblem).filter((text) => !/"desk\.(?:rail|rail_waiting|broken|broken_text)"/.test(text))).toEqual([])
})

test('every screen that a route names is there, ready with the areas of its words', () => {
  const routes = desk.set.documents['routes/routes']?.doc as unknown as { routes: Record<string, { screen: string }> }
  const screens = Object.values(routes.routes).map(({ screen }) => `screen/${screen}`)
  expect(screens.length).toBeGreaterThan(9)
  for (const key of screens) expect(desk.set.documents[key]?.areas, key).toContain('desk')
})

test.each([
  ['state', [...rechargeStates, ...withdrawStates]],
  ['channel', withdrawChannels],
  ['id', idTypes],
  ['kind', eventKinds],
  ['account', accountKinds],
  ['action', deskActions.map((action) => action.replace('.', '_'))],
])('what the contract calls a %s has texts in the back office', (prefix, names) => {
  const documents = JSON.stringify(desk.set.documents)
  const silent = names.filter((name) => !(`${prefix}_${name}` in words) || !documents.includes(`"desk.${prefix}_${name}"`))
  expect(silent).toEqual([])
})
