import { expect, test } from 'vitest'
import { showProblem } from '#config-server/check.ts'
import officeWords from '#console/locales/en/office.json'
import { accountKinds, eventKinds } from '#contract/accounts.ts'
import { rechargeStates, withdrawChannels, withdrawStates } from '#contract/calls/funding.calls.ts'
import { backOfficeActions } from '#contract/calls/office.rows.ts'
import { consoleActions, logChoices, logValues, operatorStates } from '#contract/console/console.rows.ts'
import { idTypes } from '#contract/rules/document.rules.ts'
import { roles } from '#language/publish/publishing.ts'
import eventWords from '#locales/en/event.json'
import { readBackOffice } from '#scripts/back-office.ts'

const office = await readBackOffice(process.cwd())

test('the documents of the back office can be published: names, types, routes and words hold', () => {
  expect(office.problems.filter(({ severity }) => severity === 'error').map(showProblem)).toEqual([])
})

test('nothing of the back office is unused', () => {
  // The areas of the app have texts for customers alone.
  const own = office.problems.filter(
    ({ severity, file }) => severity === 'warn' && (file.startsWith('schemas/') || /\/office\.json$/.test(file)),
  )
  expect(own.map(showProblem)).toEqual([])
})

test('every screen that a route names is there, ready with the areas of its words', () => {
  const routes = office.set.documents['routes/routes']?.doc as unknown as { routes: Record<string, { screen: string }> }
  const screens = Object.values(routes.routes).map(({ screen }) => `screen/${screen}`)
  expect(screens.length).toBeGreaterThan(9)
  for (const key of screens) expect(office.set.documents[key]?.areas, key).toContain('office')
})

const areas = { office: officeWords, event: eventWords }

test.each<[area: keyof typeof areas, prefix: string, names: readonly string[]]>([
  ['office', 'state', [...rechargeStates, ...withdrawStates]],
  ['office', 'channel', withdrawChannels],
  ['office', 'id', idTypes],
  ['event', 'kind', eventKinds],
  ['office', 'account', accountKinds],
  ['office', 'action', backOfficeActions.map((action) => action.replace('.', '_'))],
  ['office', 'log_action', consoleActions.map((action) => action.replace('.', '_'))],
  ['office', 'log_value', logValues],
  ['office', 'log_role', roles],
  ['office', 'operator_status', operatorStates],
])('what the contract has in %s as a %s has texts in the back office', (area, prefix, names) => {
  const documents = JSON.stringify(office.set.documents)
  const isSaid = (name: string) =>
    [`"${area}.${prefix}_${name}"`, `"texts":"${area}.${prefix}"`, `"names":"${area}.${prefix}"`].some((use) => documents.includes(use))
  const silent = names.filter((name) => !(`${prefix}_${name}` in areas[area]) || !isSaid(name))
  expect(silent).toEqual([])
})

test('every choice in the log of publishing has texts', () => {
  const keys = Object.keys(officeWords)
  expect(logChoices.filter((choice) => !keys.some((key) => key.startsWith(`log_${choice}_`)))).toEqual([])
})
