import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#tests/support/servers/product.ts'

const head = `import type { AnyDocument, CallName, PromptName, RouteName, ScreenDocument, WidgetName } from '${join(projectRoot, 'schemas/meta/documents.d.ts')}'\n`

/** Lines of a program that the compiler refuses. */
function refusedLines(lines: readonly string[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'document-types-'))
  try {
    writeFileSync(join(folder, 'documents.ts'), `${head}${lines.join('\n')}\n`)
    const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', join(folder, 'documents.ts')]
    const { stdout } = spawnSync(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...options], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(stdout).not.toMatch(/^error/m)
    return [...stdout.matchAll(/documents\.ts\((\d+),/g)].map(([, line]) => Number(line) - 2)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('programs that write documents have types, and wrong names are refused', () => {
  const lines = [
    "export const screen: ScreenDocument = { kind: 'screen', id: 'a', format: 1, body: [{ id: 'a', widget: 'text', props: { text: { $t: 'app.home' } } }] }",
    "export const other: AnyDocument = { kind: 'prompt', id: 'a', format: 1, title: { $t: 'app.home' } }",
    "export const route: RouteName = 'pages/market/market'",
    "export const call: CallName = 'wallet.transfer'",
    "export const wrongRoute: RouteName = 'pages/market/markt'",
    "export const wrongCall: CallName = 'wallet.transfr'",
    "export const wrongPrompt: PromptName = 'withdrew'",
    "export const wrongWidget: WidgetName = 'buton'",
    "export const wrongKind: AnyDocument = { kind: 'scren', id: 'a', format: 1, body: [] }",
    "export const wrongMember: ScreenDocument = { kind: 'screen', id: 'a', format: 1, body: [], dta: {} }",
  ]
  expect(refusedLines(lines)).toEqual([4, 5, 6, 7, 8, 9])
})
