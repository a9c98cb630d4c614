import { type CodeFile, importsOf, isTest, packageOf } from '#tests/support/house/tidy.files.ts'

/**
 * One row per kind of place; the first matching row counts. `may`: own files that it may import; `packages`: packages that it may import,
 * all by default; `never`: packages that it may not import.
 */
interface ImportRule {
  where: RegExp
  may: (path: string, from: CodeFile) => boolean
  packages?: readonly string[]
  never?: readonly string[]
}

const below =
  (...rooms: string[]) =>
  (path: string) =>
    rooms.some((room) => path === room || path.startsWith(`${room}/`))
/** The module of a file: room and folder, such as `api-server/wallet/`. */
const moduleOf = (path: string) => `${path.split('/').slice(0, -1).slice(0, 2).join('/')}/`
/** The own module, without files that perform I/O. */
const ownPure = (path: string, from: CodeFile) =>
  path.startsWith(moduleOf(from.path)) && !/\.(?:store|handlers|reads|migration)\.ts$/.test(path)
const sameModule = (path: string, from: CodeFile) => path.startsWith(moduleOf(from.path))

const pureLanguage = ['zod', 'json-logic-js', 'big.js']
/** zod on servers and in tests, a replacement without effect in the app: see imports in package.json. */
const inertZod = '#zod'
/** All operators on servers and in tests, none in the app, which loads them later: see imports in package.json. */
const computingOperators = '#computing-operators'
const network = ['axios', 'ws', 'mitt', 'react-router', 'react-router-dom', 'i18next', 'react-i18next', '@tanstack/query-core']
const browser = ['react', 'react-dom', 'react-router', 'react-router-dom', 'react-i18next', 'axios', '@base-ui/react', 'lightweight-charts']

/** Files of the API server that its other modules may import. */
const entryPoints = [
  'api-server/file-texts.ts',
  'api-server/kit',
  'api-server/ledger/audit/audit.check.ts',
  'api-server/ledger/ledger.ts',
  'api-server/modules.ts',
  'api-server/lever/copies.ts',
  'api-server/lever/lever.ts',
  'api-server/idempotency/idempotency.ts',
  'api-server/notices/notice.ts',
  'api-server/otc/offers.ts',
  'api-server/outbox/post.ts',
  'api-server/account/administration.ts',
  'api-server/account/proof.ts',
  'api-server/trading/means.rules.ts',
  'api-server/trading/review.ts',
  'api-server/trading/trading.ts',
]

/** How typed text is read and counted. Both import nothing, and every room may import them. */
const text = ['contract/text.ts', 'contract/characters.ts']

/** Parts of the contract that engine and widgets may import: the form of problems and pushed messages, not the calls. */
const wire = ['contract/problem.ts', 'contract/feed.ts', 'contract/topic.ts', 'contract/time.ts', ...text, 'contract/picture.ts']

/** Contract of the config server: calls of the console and problems, not calls of the product. */
const consoleContract = [
  'contract/console/console.answer.ts',
  'contract/console/console.calls.ts',
  'contract/console/console.problems.ts',
  'contract/console/console.request.ts',
  'contract/console/console.rows.ts',
  'contract/call.ts',
  'contract/problem.ts',
  ...text,
]

/** Parts of the contract for calls and functions of another app. */
const ownCalls = ['contract/call.ts', 'contract/fields.ts', 'contract/functions/define.ts', 'contract/problem.ts', ...text]

export const importRules: readonly ImportRule[] = [
  // Patterns of documents and rules of the contract are the same.
  {
    where: /^language\//,
    may: below('language', ...text, 'contract/patterns.ts', 'contract/rules/typed.rules.ts'),
    packages: [...pureLanguage, 'jsonc-parser'],
  },
  // Calls of the console use types of the language.
  { where: /^contract\/console\//, may: below('contract', 'language/publish'), packages: ['zod'] },
  { where: /^contract\//, may: below('contract'), packages: ['zod', 'big.js'] },
  // A contract without a server; its documents are examples of the language.
  { where: /^docs\/examples\//, may: below('docs/examples', 'contract'), packages: ['zod'] },
  // Another app and its server: it has its own calls and none of the product's.
  { where: /^examples\/serve\.ts$/, may: below('config-server', 'server-kit', 'contract/call.ts', 'contract/problem.ts') },
  {
    where: /^examples\//,
    may: (path, from) => sameModule(path, from) || below('examples/serve.ts', 'renderer', 'widgets', 'server-kit', ...ownCalls)(path),
  },
  { where: /^renderer\/core\//, may: below('renderer/core', 'language', 'contract/times.ts', ...text), never: [...browser, ...network] },
  { where: /^renderer\/react\//, may: below('renderer', 'language', ...wire), never: ['axios'] },
  { where: /^renderer\/(?:widget-api\.ts|start\.tsx|after-paint\.ts|inspector\/|offline\/)/, may: below('renderer', 'language', ...wire) },
  {
    where: /^renderer\//,
    may: (path) => below('renderer', 'language', ...wire)(path) && !below('renderer/react')(path),
    never: ['react', 'react-dom', 'react-router-dom'],
  },
  // Composes the product: engine, widgets, contract and their connections.
  {
    where: /^app\//,
    may: below(
      'app',
      'renderer',
      'language',
      'contract',
      'widgets/registry.ts',
      'widgets/manifest.json',
      'widgets/parts',
      'schemas',
      'locales',
    ),
  },
  {
    where: /^widgets\/[^/]+\/.*\.rules\.ts$/,
    may: (path, from) => below('contract')(path) || /^widgets\/parts\/.*\.rules\.ts$/.test(path) || ownPure(path, from),
    never: [...network, ...browser],
  },
  { where: /^widgets\/parts\//, may: below('widgets/parts', 'contract', 'renderer/widget-api.ts'), never: [...network, 'zod'] },
  { where: /^widgets\/migrations\.ts$/, may: below('language/publish/migrate.ts'), packages: [] },
  {
    where: /^widgets\/registry\.ts$/,
    may: below('widgets', 'renderer/widget-api.ts', 'renderer/core/registry.ts'),
    never: [...network, 'zod'],
  },
  {
    where: /^widgets\/[^/]+\//,
    may: (path, from) => below('renderer/widget-api.ts', 'contract', 'widgets/parts')(path) || sameModule(path, from),
    never: [...network, 'zod'],
  },
  {
    where: /^server-kit\//,
    may: below('server-kit', 'contract/problem.ts', 'contract/call.ts', 'contract/held.ts', 'contract/rules/machine.rules.ts', ...text),
    never: browser,
  },
  {
    where: /^config-server\//,
    may: below(...['config-server', 'language', 'server-kit', 'flows', 'contract/functions', 'widgets/migrations.ts'], ...consoleContract),
    never: browser,
  },
  // The console shows what the config server would send.
  { where: /^flows\//, may: below('flows', 'language', 'contract', 'config-server/release.rules.ts'), never: [...browser, ...network] },
  {
    where: /^api-server\/(?:app|main|migrations|modules|ports|products|test-hooks)\.ts$/,
    may: below('api-server', 'contract', 'server-kit'),
    never: browser,
  },
  // The building of the products: it knows the ports that they share, and no product.
  {
    where: /^api-server\/kit\//,
    may: below(
      'api-server/kit',
      'api-server/account/people.reads.ts',
      'api-server/ledger/audit/audit.check.ts',
      'api-server/market/market.reads.ts',
      'api-server/market/market.ts',
      'api-server/ops',
      'api-server/currency',
      'api-server/ledger',
      ...entryPoints,
      'contract',
      'server-kit',
    ),
    never: browser,
  },
  {
    where: /^api-server\/.*\.rules\.ts$/,
    may: (path, from) =>
      below(
        'contract',
        'server-kit/security/password.rules.ts',
        'api-server/market/units.rules.ts',
        'api-server/kit/terms.rules.ts',
      )(path) || ownPure(path, from),
    packages: ['big.js', 'zod', 'node:crypto', '@noble/hashes', '@scure/base'],
  },
  {
    where: /^api-server\//,
    may: (path, from) =>
      below('contract', 'server-kit', ...entryPoints)(path) || sameModule(path, from) || /^api-server\/.*\.(?:reads|queue)\.ts$/.test(path),
    never: browser,
  },
  { where: /^console\//, may: below('console', 'app', 'renderer', 'widgets', 'contract', 'language'), never: ['axios'] },
  { where: /^main\.ts$/, may: below('api-server', 'config-server', 'server-kit') },
]

const main = /^(?:main|[^/]+\/main)\.tsx?$/

/** Violations of one file's imports, each with its line. */
export function wrongImports(file: CodeFile): string[] {
  const wrong: string[] = []
  const test = isTest(file.path)
  const rule = importRules.find(({ where }) => where.test(file.path))
  for (const { from, line } of importsOf(file)) {
    const say = (why: string) => wrong.push(`${file.path}:${line} ${why}: ${from}`)
    if (from.startsWith('.')) {
      if (!/^(?:scripts|bench)\//.test(file.path)) say('is written from here, not from the room (#room/file.ts)')
      continue
    }
    if (from === inertZod) {
      if (!test && !/^(?:(?:examples\/[^/]+\/)?widgets|bench\/renderers)\//.test(file.path))
        say('stands for nothing in a browser; only widgets take it')
      continue
    }
    if (from === computingOperators) {
      if (file.path !== 'language/expression/operators.ts') say('is empty in a browser; language/expression/all-operators.ts brings them')
      continue
    }
    if (from.startsWith('#')) {
      const path = from.slice(1).replace(/\?.*$/, '')
      if (!/\.\w+$/.test(path)) say('has no extension')
      if (main.test(path)) say('nobody imports a main')
      if (test) continue
      if (path.startsWith('tests/')) say('only tests import tests')
      if (
        /\.store\.ts$/.test(path) &&
        moduleOf(path) !== moduleOf(file.path) &&
        !/^(?:api|config)-server\/(?:app|main|migrations|modules|ports|test-hooks)\.ts$/.test(file.path)
      )
        say("is another module's store")
      if (rule && !rule.may(path, file)) say('this room may not import')
      continue
    }
    if (test || !rule) continue
    const name = packageOf(from)
    if (rule.packages && !rule.packages.includes(name)) say('this room does not take the package')
    if (rule.never?.includes(name)) say('this room never takes the package')
  }
  return wrong
}

/** Import cycles, including those of types; each is reported once, from its first file. */
export function cycles(files: readonly CodeFile[]): string[] {
  const paths = new Set(files.map((file) => file.path))
  const graph = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter((one) => one.from.startsWith('#') && paths.has(one.from.slice(1)))
        .map((one) => one.from.slice(1)),
    ]),
  )
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: string[]) => {
    const at = trail.indexOf(path)
    if (at >= 0) return void found.push([...trail.slice(at), path].join(' → '))
    if (done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return found
}
