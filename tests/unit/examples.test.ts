import { expect, test } from 'vitest'
import { showProblem } from '#config-server/cli/command.ts'
import { openProject, problemsOf } from '#config-server/cli/project.ts'
import { examplesContract } from '#docs/examples/contract/examples.calls.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

const examples = () => openProject({ root: projectRoot, options: new Map() }, 'docs/examples')
/** Lines of one document at most. */
const linesMax: Record<string, number> = { screen: 250, form: 150 }

test('lint finds nothing in the examples', async () => {
  const set = await examples()
  expect(problemsOf(set).map(showProblem)).toEqual([])
  expect(set.catalog.calls.map(({ name }) => name).sort()).toEqual(Object.keys(examplesContract).sort())
})

test('each example is short, and has words in every language of the product', async () => {
  const { documents, texts } = await examples()
  const lines = documents.map(({ key, doc, text }) => [key, text.trimEnd().split('\n').length, linesMax[doc.kind]] as const)
  expect(lines.filter(([, count, most]) => most !== undefined && count > most)).toEqual([])
  const own = await openProject({ root: projectRoot, options: new Map() })
  expect(Object.keys(texts).sort()).toEqual(Object.keys(own.texts).sort())
})
