import { cycles, wrongImports } from '#tests/support/house/import-rules.ts'
import { type CodeFile, commentLines, importsOf, isTest, roomOf, withoutComments } from '#tests/support/house/tidy.files.ts'

/** A rule for the whole project. It must find `bad` and must not find `good`, which tests the rule itself. */
export interface Rule {
  name: string
  check: (files: readonly CodeFile[]) => string[]
  bad: CodeFile[][]
  good: CodeFile[][]
}

const file = (path: string, ...lines: string[]): CodeFile => ({ path, text: lines.join('\n') })
/** A placeholder in a template, for code samples. */
const hole = `$${'{id}'}`
const lines = (count: number) => Array.from({ length: count }, (_, i) => `export const line${i} = ${i}`)

/** A rule that checks one file at a time. */
const each = (check: (one: CodeFile) => string[]) => (files: readonly CodeFile[]) => files.flatMap(check)

/** All lines of code that match the pattern; comments do not count. */
function found(pattern: RegExp, applies: (path: string) => boolean, why: string) {
  return each((one) => {
    if (!applies(one.path)) return []
    const text = withoutComments(one.text).split('\n')
    return text.flatMap((line, i) => (pattern.test(line) ? [`${one.path}:${i + 1} ${why}`] : []))
  })
}

/** Folders that are a list of like things. */
const lists = new Set(['tests/e2e', 'contract/functions'])
const filesPerFolderMax = 25

function crowded(files: readonly CodeFile[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of files) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) =>
    count > filesPerFolderMax && !lists.has(folder) ? [`${folder} has ${count} files: group them by what they are about`] : [],
  )
}

const length = ({ text }: CodeFile) => text.replace(/\n$/, '').split('\n').length
const servers = (path: string) => ['api-server', 'config-server', 'server-kit', 'main.ts'].includes(roomOf(path)) && !isTest(path)
const product = (path: string) => /\.tsx?$/.test(path) && !isTest(path)
/** These files randomize waiting times, which need no secure random numbers. */
const backOff = new Set(['api-server/market/sources/binance.source.ts', 'server-kit/db/guarded-driver.ts'])
/** The engine's API file re-exports by name on purpose. */
const entryPoints = new Set(['renderer/widget-api.ts'])

function onlyReexports({ path, text }: CodeFile): boolean {
  if (entryPoints.has(path) || !/\.tsx?$/.test(path)) return false
  const rest = withoutComments(text).replace(/export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"][^'"]+['"];?/g, '')
  return rest.trim() === '' && text.trim() !== ''
}

/** A line of a comment in which a sentence begins with a question word, so that the reader must look for its subject. */
const asksFirst = /(?:^|[.!?:·]\)? |@returns |@throws )(?:What|Who|Whoever|Whatever)\b/

/** Folders of the app, whose time is that of the server. */
const ofApp = (path: string) =>
  ['app', 'renderer', 'widgets', 'language'].includes(roomOf(path)) && product(path) && !/-fixture\.tsx?$/.test(path)
/** `clock.ts` is the one clock. `data.ts` compares times that its library took from the device, with the same. */
const clocks = new Set(['renderer/device/clock.ts', 'renderer/data/data.ts'])

export const rules: readonly Rule[] = [
  {
    name: 'imports keep to the rules between the rooms',
    check: each(wrongImports),
    bad: [
      [file('language/a.ts', "import { b } from '#contract/b.ts'")],
      [file('language/a.ts', "import axios from 'axios'")],
      [file('contract/a.ts', "import { b } from '#language/b.ts'")],
      [file('renderer/core/a.ts', "import { useState } from 'react'")],
      [file('renderer/core/a.ts', "import type { Store } from '#renderer/engine/store.ts'")],
      [file('renderer/data/a.ts', "import { b } from '#renderer/react/b.tsx'")],
      [file('widgets/x/X.tsx', "import axios from 'axios'")],
      [file('widgets/x/X.tsx', "import { Y } from '#widgets/y/Y.tsx'")],
      [file('widgets/x/X.tsx', "import { createFeed } from '#renderer/feed/feed.ts'")],
      [file('widgets/x/x.widget.ts', "import * as z from 'zod'")],
      [file('examples/a/api.ts', "import { walletCalls } from '#contract/calls/wallet.calls.ts'")],
      [file('examples/a/main.ts', "import { widgets } from '#examples/b/widgets.ts'")],
      [file('renderer/data/a.ts', "import { z } from '#zod'")],
      [file('widgets/x/x.rules.ts', "import { useQuote } from '#renderer/widget-api.ts'")],
      [file('config-server/a.ts', "import { walletCalls } from '#contract/calls/wallet.calls.ts'")],
      [file('api-server/a/a.rules.ts', "import { db } from '#server-kit/db/db.ts'")],
      [file('api-server/a/a.rules.ts', "import { rows } from '#api-server/a/a.store.ts'")],
      [file('api-server/a/a.handlers.ts', "import { rows } from '#api-server/b/b.store.ts'")],
      [file('api-server/a/a.handlers.ts', 'import {', '  start,', "} from '#api-server/main.ts'")],
      [file('server-kit/a.ts', "const a = await import('#tests/support/a.ts')")],
      [file('tests/a.test.ts', "import '#main.ts'")],
      [file('widgets/x/X.tsx', "import { y } from './y.ts'")],
      [file('language/a.ts', "import { b } from '#language/b'")],
    ],
    good: [
      [
        file(
          'widgets/x/X.tsx',
          "import { useState } from 'react'",
          "import { useQuote } from '#renderer/widget-api.ts'",
          "import { y } from '#widgets/x/y.rules.ts'",
        ),
      ],
      [
        file(
          'api-server/a/a.handlers.ts',
          "import { b } from '#api-server/b/b.reads.ts'",
          "import { rows } from '#api-server/a/a.store.ts'",
        ),
      ],
      [file('language/a.ts', "// import axios from 'axios'", "import * as z from 'zod'")],
      [file('examples/a/widgets/x/x.widget.ts', "import { z } from '#zod'", "import { id } from '#contract/fields.ts'")],
      [file('scripts/a.mjs', "import { b } from './b.mjs'")],
      [file('tests/a.test.ts', "import { rows } from '#api-server/b/b.store.ts'")],
    ],
  },
  {
    name: 'imports run in no circle',
    check: cycles,
    bad: [
      [
        file('language/a.ts', "import { b } from '#language/b.ts'"),
        file('language/b.ts', "import { c } from '#language/c.ts'"),
        file('language/c.ts', "export { a } from '#language/a.ts'"),
      ],
      [file('language/a.ts', "import { b } from '#language/b.ts'"), file('language/b.ts', "import type { A } from '#language/a.ts'")],
    ],
    good: [[file('language/a.ts', "import { b } from '#language/b.ts'"), file('language/b.ts', "import type { C } from '#language/c.ts'")]],
  },
  {
    name: 'a folder that a person opens has at most 25 files of code',
    check: crowded,
    bad: [Array.from({ length: 26 }, (_, i) => file(`renderer/data/a${i}.ts`, 'a'))],
    good: [
      Array.from({ length: 25 }, (_, i) => file(`renderer/data/a${i}.ts`, 'a')),
      Array.from({ length: 40 }, (_, i) => file(`tests/e2e/a${i}.test.ts`, 'a')),
    ],
  },
  {
    name: 'no file has more than 400 lines',
    check: each((one) => (length(one) > 400 ? [`${one.path} has ${length(one)} lines`] : [])),
    bad: [[file('language/a.ts', ...lines(401))]],
    good: [[file('language/a.ts', ...lines(400))]],
  },
  {
    name: 'the node renderer stays under 80 lines',
    check: each((one) => (/(?:^|\/)NodeView\.tsx$/.test(one.path) && length(one) >= 80 ? [`${one.path} has ${length(one)} lines`] : [])),
    bad: [[file('renderer/react/NodeView.tsx', ...lines(80))]],
    good: [[file('renderer/react/NodeView.tsx', ...lines(79)), file('renderer/react/Other.tsx', ...lines(200))]],
  },
  {
    name: 'every rules file has its table test',
    check: (files) => {
      const paths = new Set(files.map((one) => one.path))
      return [...paths]
        .filter((path) => /\.rules\.ts$/.test(path) && !isTest(path) && !paths.has(path.replace(/\.ts$/, '.test.ts')))
        .map((path) => `${path} has no test beside it`)
    },
    bad: [[file('api-server/a/a.rules.ts', 'export const a = 1')]],
    good: [[file('api-server/a/a.rules.ts', 'export const a = 1'), file('api-server/a/a.rules.test.ts', 'a')]],
  },
  {
    name: 'no folder is a heap',
    check: each((one) =>
      /(?:^|\/)(?:utils?|helpers?|common|shared|misc|lib)\//.test(one.path) && !/^(?:schemas|locales)\//.test(one.path)
        ? [`${one.path}: give the folder a noun`]
        : [],
    ),
    bad: [[file('renderer/utils/a.ts', 'a')], [file('api-server/common/a.ts', 'a')], [file('helpers/a.ts', 'a')]],
    good: [[file('renderer/data/common-words.ts', 'a')]],
  },
  {
    name: 'no file only passes on what others export',
    check: each((one) => (onlyReexports(one) ? [`${one.path} only re-exports`] : [])),
    bad: [[file('widgets/parts/index.ts', "export * from '#widgets/parts/a.ts'", "export { b, type C } from '#widgets/parts/b.ts'")]],
    good: [
      [file('widgets/registry.ts', "import { a } from '#widgets/a/a.widget.ts'", 'export const widgets = [a]')],
      [file('renderer/widget-api.ts', "export { a } from '#renderer/a.ts'")],
    ],
  },
  {
    name: 'no any',
    check: found(/(?::|\bas|<|\|)\s*any\b(?!\s*\()/, (path) => /\.tsx?$/.test(path) && !/^tests\/support\/house\/tidy\./.test(path), 'any'),
    bad: [
      [file('language/a.ts', 'const a: any = 1')],
      [file('language/a.ts', 'const a = b as any')],
      [file('language/a.ts', 'const a = new Map<any, string>()')],
    ],
    good: [[file('language/a.ts', '// any: of them', "const a = { text: 'as any' === b ? 1 : any(c) }".replace("'as any'", 'x'))]],
  },
  {
    name: 'the environment is read in one file',
    check: found(
      /process\.env\b/,
      (path) =>
        product(path) &&
        path !== 'server-kit/ops/env.ts' &&
        !/^(?:scripts|bench)\//.test(path) &&
        !['vite.config.ts', 'vitest.config.ts'].includes(path),
      'read it through server-kit/ops/env.ts',
    ),
    bad: [[file('api-server/a.ts', "const port = process.env['PORT']")]],
    good: [[file('server-kit/ops/env.ts', 'process.env'), file('scripts/a.mjs', 'process.env.CI')]],
  },
  {
    name: 'SQL is never put together from text',
    check: each((one) => {
      if (!product(one.path)) return []
      const text = withoutComments(one.text)
      return [
        ...text.matchAll(
          /\bsql\.raw\(\s*(?:`[^`]*\$\{|['"][^'"\n]*['"]\s*\+|\w+\s*\+)|\.(?:query|exec)\(\s*(?:`[^`]*\$\{|['"][^'"\n]*['"]\s*\+)/g,
        ),
      ].map((match) => `${one.path}:${text.slice(0, match.index).split('\n').length} puts SQL together`)
    }),
    bad: [
      [file('api-server/a.ts', `sql.raw(\`select * from ${hole}\`)`)],
      [file('api-server/a.ts', "sql.raw('select ' + column)")],
      [file('api-server/a.ts', `await client.query(\`select ${hole}\`)`)],
    ],
    good: [[file('api-server/a.ts', `sql\`select * from t where id = ${hole}\``, "sql.raw('vacuum')")]],
  },
  {
    name: 'HTML is set in one file at most',
    check: (files) => {
      const users = files.filter((one) => product(one.path) && /dangerouslySetInnerHTML|\.innerHTML\s*=/.test(withoutComments(one.text)))
      return users.length > 1 ? users.map((one) => `${one.path} sets HTML`) : []
    },
    bad: [[file('widgets/a/A.tsx', 'dangerouslySetInnerHTML={a}'), file('widgets/b/B.tsx', 'node.innerHTML = b')]],
    good: [[file('widgets/a/A.tsx', 'dangerouslySetInnerHTML={a}'), file('widgets/b/B.tsx', '// no dangerouslySetInnerHTML here')]],
  },
  {
    name: 'servers draw chance from the system or from a seed',
    check: found(/Math\.random\b/, (path) => servers(path) && !backOff.has(path), 'use node:crypto, or a seeded source'),
    bad: [[file('api-server/a.ts', 'const token = Math.random()')]],
    good: [[file('renderer/feed/feed.ts', 'const jitter = Math.random()')]],
  },
  {
    name: 'the app has one clock',
    check: found(
      /\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)|\bperformance\.timeOrigin\b|\bTemporal\.Now\b/,
      (path) => ofApp(path) && !clocks.has(path),
      'the device may show any time: use the clock of the engine, and performance.now() for short durations',
    ),
    bad: [
      [file('renderer/a.ts', 'const at = Date.now()')],
      [file('widgets/a/A.tsx', 'const today = new Date()')],
      [file('app/a.ts', 'const wall = performance.timeOrigin + performance.now()')],
      [file('language/a.ts', 'const clock = { now: Date.now }')],
    ],
    good: [
      [file('renderer/device/clock.ts', 'const wall = () => Date.now()')],
      [file('renderer/a.ts', 'const from = performance.now()', 'const d = new Date(clock.now())', '// not Date.now()')],
      [file('renderer/a.test.ts', 'const at = Date.now()'), file('renderer/a-fixture.ts', 'const at = Date.now()')],
      [file('api-server/a.ts', 'const at = Date.now()'), file('bench/a.ts', 'const at = Date.now()')],
    ],
  },
  {
    name: 'no test has a time limit of its own',
    check: found(
      /^\s*(?:test|describe|onEngines).*\{ timeout: |^\s*\{ timeout: .*\},$|^ {0,2}\}, (?:sized\(|\d+_\d)|^ {2}(?:sized\([\d_, ]+\)|\d+_[\d_]+),$/,
      isTest,
      'the limit of vitest.config.ts is that of all tests: a slow machine never fails one',
    ),
    bad: [
      [file('a/a.test.ts', "test('a', () => {", '}, 60_000)')],
      [file('a/a.test.ts', "test('a', { timeout: 600_000 }, () => {})")],
      [file('a/a.test.ts', 'test(', "  'a',", '  { timeout: sized(1_000, 2_000) },', '  () => {},', ')')],
      [file('a/a.test.ts', 'test.each(rows)(', "  'a',", '  () => {},', '  30_000,', ')')],
    ],
    good: [[file('a/a.test.ts', 'await expect.poll(done, { timeout: outageMsMax }).toBe(true)')], [file('a/a.ts', '}, 60_000)')]],
  },
  {
    name: 'no test runs beside another of its file',
    check: found(
      /^\s*(?:test|describe|onEngines).*(?:\.concurrent\b|\bconcurrent: true)/,
      isTest,
      'when one ends, `expect.poll` of the other loses its test',
    ),
    bad: [[file('a/a.test.ts', "test.concurrent('a', () => {})")], [file('a/a.test.ts', "describe('a', { concurrent: true }, () => {})")]],
    good: [[file('a/a.test.ts', 'a.concurrent(b)')]],
  },
  {
    name: 'members of an object are written, not spread from a literal',
    check: found(/(?<!\{)\.\.\.\{ ?\w|\{\.\.\.\{/, (path) => !/^tests\/support\/house\/tidy\./.test(path), 'write the members out'),
    bad: [[file('a/a.ts', 'const a = { ...{b, c}, d }')], [file('widgets/a/A.tsx', '<B {...{name, id}} />')]],
    good: [[file('a/a.ts', 'const a = { ...b, ...(c && { d }), e: [...f] }')]],
  },
  {
    name: 'nothing is left for later in a comment',
    check: each((one) =>
      one.path.startsWith('tests/support/house/tidy.')
        ? []
        : one.text
            .split('\n')
            .flatMap((line, i) => (/\b(?:TODO|FIXME|XXX|HACK)\b/.test(line) ? [`${one.path}:${i + 1} says it is not done`] : [])),
    ),
    bad: [[file('language/a.ts', '// TODO: later')]],
    good: [[file('language/a.ts', '// a todo list is a list')]],
  },
  {
    name: 'a sentence of a comment names its subject',
    check: each((one) =>
      commentLines(one.text).flatMap(({ line, text }) =>
        asksFirst.test(text) ? [`${one.path}:${line} begin with the noun or the verb, not with What or Who`] : [],
      ),
    ),
    bad: [
      [file('language/a.ts', '/** What a document needs. */', 'interface Needs {}')],
      [file('language/a.ts', '/**', ' * Returns the author.', ' * Whoever is logged in sees it.', ' */')],
      [file('app/a.ts', '// Ends it. Who asks again waits.', "const a = 'a' // Whatever is left.")],
      [file('widgets/a/a.css', '/* What stands in it is hidden. */', '.a:empty {}')],
    ],
    good: [
      [file('language/a.ts', '/** Names that a document needs: what it shows and who asks. */', 'interface What {}')],
      [file('app/a.ts', "const a = 'Ends it. // What now?'", '// `What` is the name of a type.')],
    ],
  },
  {
    name: 'a widget stands in the registry',
    check: (files) => {
      const registry = files.find((one) => one.path === 'widgets/registry.ts')
      const listed = new Set(registry ? importsOf(registry).map((one) => one.from.slice(1)) : [])
      return files
        .filter((one) => /^widgets\/[^/]+\/[^/]+\.widget\.tsx?$/.test(one.path) && !listed.has(one.path))
        .map((one) => `${one.path} is not in widgets/registry.ts`)
    },
    bad: [[file('widgets/a/a.widget.ts', 'export const a = 1'), file('widgets/registry.ts', 'export const widgets = []')]],
    good: [
      [file('widgets/a/a.widget.ts', 'export const a = 1'), file('widgets/registry.ts', "import { a } from '#widgets/a/a.widget.ts'")],
    ],
  },
]
