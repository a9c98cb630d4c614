import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { sha256 } from '#config-server/release.rules.ts'
import { type Caps, capsOfBuild } from '#config-server/serving/caps.rules.ts'
import type { CallManifest, Catalog, FunctionManifest, TopicManifest, WidgetManifest } from '#language/types/catalog.ts'

/** Files of a contract, below the project. */
interface ContractFiles {
  calls: string
  topics: string
}
/** Those of the app. */
const appContract: ContractFiles = { calls: 'contract/manifest.json', topics: 'contract/topics.json' }

async function readJson<T>(root: string, file: string): Promise<T> {
  const path = join(root, file)
  if (!existsSync(path)) throw new Error(`${file} is missing; npm run generate writes it`)
  return JSON.parse(await readFile(path, 'utf8')) as T
}

/**
 * Returns the names that documents may use: widgets and icons of the app, calls of the API, topics of the socket, functions of the domain,
 * markets.
 * @param contract files of calls and topics; what is left out is that of the app
 */
export async function readCatalog(root: string, contract: Partial<ContractFiles> = {}): Promise<Catalog> {
  const { calls, topics: topicsFile } = { ...appContract, ...contract }
  const [{ widgets, icons }, named, functions, topics, symbols] = await Promise.all([
    readJson<{ widgets: WidgetManifest[]; icons: string[] }>(root, 'widgets/manifest.json'),
    readJson<CallManifest[]>(root, calls),
    readJson<FunctionManifest[]>(root, 'contract/functions/manifest.json'),
    readJson<TopicManifest[]>(root, topicsFile),
    readJson<string[]>(root, 'contract/symbols.json'),
  ])
  return { widgets, icons, calls: named, functions, topics, symbols }
}

/**
 * Returns the capabilities of the app that is served beside this server.
 * @param sources a development server serves the sources, whatever was built before; else it is the build in dist/, where there is one
 */
export async function readOwnCaps(root: string, catalog: Catalog, sources: boolean): Promise<Caps> {
  return !sources && existsSync(join(root, 'dist/caps.json')) ? readJson<Caps>(root, 'dist/caps.json') : capsOfBuild(catalog)
}

/**
 * Hash of everything that checks documents: the built server, its libraries, and what documents may name. Two starts with the same hash
 * find the same problems in the same files.
 * @param running file of the code that runs
 * @returns undefined where it is not the built server, as in development
 */
export async function readCheckerHash(root: string, catalog: Catalog, running: string): Promise<string | undefined> {
  const folder = join(root, 'dist/server')
  if (!running.startsWith(folder + sep)) return undefined
  const code = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.js')).sort()
  const files = [...code.map((file) => join(folder, file)), join(root, 'package-lock.json')].filter((file) => existsSync(file))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return sha256([process.version, JSON.stringify(catalog), ...texts].map(sha256).join(' '))
}
