import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const isTest = /\.test\.tsx?$/
const documentFolders = /^schemas\/(?:screens|forms|fragments|prompts|quick-entries)\//

/**
 * Texts from which the map is read, by path: the API server's sources, the documents, the browser tests and their support.
 * @param {string} root folder of the project
 * @returns {Map<string, string>} paths relative to the root
 */
export function mapTexts(root) {
  const folders = ['api-server', 'schemas', 'tests/e2e', 'tests/support']
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|json)$/.test(entry.name))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      ),
  )
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

const moduleOf = (path) => /^api-server\/([^/]+)\//.exec(path)?.[1]
/** `schemas/screens/fund/assets.json` has the name `fund.assets`. */
const nameOf = (path) =>
  path
    .replace(/^schemas\/[^/]+\//, '')
    .replace(/\.json$/, '')
    .replaceAll('/', '.')

/** Adds to a set all that depends on its members, until nothing is added. A set goes on with what is added meanwhile. */
function spread(found, dependents) {
  for (const one of found) for (const other of dependents(one)) found.add(other)
  return found
}

/**
 * Screens and journeys that a change of server modules may break: module → modules that import it → their calls → screens that ask these calls,
 * directly or through forms, fragments, prompts and quick entries → browser tests that name such a screen, its route or such a call.
 * @param {string[]} changed paths relative to the root
 * @param {Map<string, string>} texts see `mapTexts`
 * @returns {{modules: string[], calls: string[], screens: string[], tests: string[]}} all empty for files of no module
 */
export function reachedFrom(changed, texts) {
  const sources = [...texts].filter(([path]) => moduleOf(path) !== undefined && !isTest.test(path))
  const started = changed.filter((path) => !isTest.test(path)).flatMap((path) => moduleOf(path) ?? [])
  const importers = (module) => sources.filter(([, text]) => text.includes(`'#api-server/${module}/`)).map(([path]) => moduleOf(path))
  const modules = new Set(started.flatMap((module) => [module, ...importers(module)]))

  const calls = new Set(
    sources
      .filter(([path]) => modules.has(moduleOf(path)) && /handlers\.ts$/.test(path))
      .flatMap(([, text]) => [...text.matchAll(/'([a-z]\w*\.\w+)':/g)].map(([, call]) => call)),
  )

  const documents = [...texts].filter(([path]) => documentFolders.test(path))
  const asks = documents.filter(([, text]) => [...calls].some((call) => text.includes(`"${call}"`))).map(([path]) => path)
  const users = (path) => documents.filter(([, text]) => text.includes(`"${nameOf(path)}"`)).map(([user]) => user)
  const reached = spread(new Set(asks), users)
  const screens = [...reached]
    .filter((path) => path.startsWith('schemas/screens/'))
    .map(nameOf)
    .sort()

  const { routes = {} } = JSON.parse(texts.get('schemas/routes.json') ?? '{}')
  const paths = Object.entries(routes).flatMap(([path, { screen }]) => (screens.includes(screen) && path !== '/' ? [path] : []))
  const named = (text) =>
    [...calls, ...screens].some((name) => text.includes(`'${name}'`)) || paths.some((path) => new RegExp(`${path}\\b`).test(text))
  const code = [...texts].filter(([path]) => path.startsWith('tests/'))
  const naming = code.filter(([, text]) => named(text)).map(([path]) => path)
  const tests = [...spread(new Set(naming), (path) => code.filter(([, text]) => text.includes(`'#${path}'`)).map(([user]) => user))]
  return {
    modules: [...modules].sort(),
    calls: [...calls].sort(),
    screens,
    tests: tests.filter((path) => path.startsWith('tests/e2e/') && isTest.test(path)).sort(),
  }
}
