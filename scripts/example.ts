import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { build } from 'vite'
import { builtOf, ownContractFiles } from '#config-server/own-contract.ts'
import { capsOfBuild } from '#config-server/serving/caps.rules.ts'
import { watchFolders } from '#config-server/serving/watch.ts'
import { type AppApi, serveApp } from '#examples/serve.ts'
import { appBuild } from '#scripts/app-build.ts'
// @ts-expect-error plain JavaScript
import { makeOnce, sourcesHash } from '#scripts/build.mjs'
import { appCatalog, json, loadOfApp, routeTable } from '#scripts/manifests.ts'

/** Sources of an app's build, besides its own folder. */
const engine = ['config-server', 'contract', 'language', 'locales', 'renderer', 'scripts', 'widgets', 'package.json', 'package-lock.json']

interface AppFolder {
  project: string
  /** Relative to the project: `examples/lending-library`. */
  folder: string
  /** Folder of the build: documents, texts and manifests, and the pages in dist/app. */
  built: string
}

/** Writes files into folders and removes other files from these folders. Unchanged files are not written. */
function lay(to: string, folders: readonly string[], files: ReadonlyMap<string, string>): void {
  const kept = folders.flatMap((folder) =>
    existsSync(join(to, folder)) ? readdirSync(join(to, folder), { recursive: true, withFileTypes: true }) : [],
  )
  for (const entry of kept) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !files.has(relative(to, path).split(sep).join('/'))) rmSync(path)
  }
  for (const [file, text] of files) {
    const path = join(to, file)
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** Collects the documents and texts of an app, and the texts of engine and widgets, in the languages of the app. */
async function layDocuments({ project, folder, built }: AppFolder): Promise<void> {
  const { files } = await ownContractFiles(project, join(project, folder))
  lay(built, ['schemas', 'locales'], new Map(files.map(({ file, text }) => [file, text])))
}

/** Builds an app unless its last build has the same sources. @throws BrokenSources when its documents have errors */
export async function buildApp(app: AppFolder): Promise<void> {
  const { project, folder, built } = app
  const dist = join(built, 'dist')
  await makeOnce(project, dist, {
    stamp: sourcesHash(project, [...engine, folder]) as string,
    isWhole: () => existsSync(join(dist, 'app/index.html')),
    make: () => makeApp(app),
  })
}

async function makeApp(app: AppFolder): Promise<void> {
  const { project, folder, built } = app
  process.stdout.write(`Building ${folder}.\n`)
  const { widgets, icons, calls, functions, topics, symbols } = await appCatalog(project, folder)
  const caps = capsOfBuild({ widgets, functions, topics })
  await layDocuments(app)
  lay(
    built,
    ['widgets', 'contract'],
    new Map([
      ['widgets/manifest.json', json({ widgets, icons })],
      ['contract/manifest.json', json(calls)],
      ['contract/functions/manifest.json', json(functions)],
      ['contract/topics.json', json(topics)],
      ['contract/symbols.json', json(symbols)],
    ]),
  )
  await build({
    ...appBuild({
      project,
      documents: built,
      page: join(project, folder),
      outDir: join(built, 'dist/app'),
      caps,
      feed: false,
      define: { 'import.meta.env.VITE_CALLS': routeTable(calls, true) },
    }),
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
  })
}

/** Builds and serves `examples/<name>`. Documents and texts are published when they are saved. */
export async function startExample(project: string, name: string): Promise<void> {
  const folder = `examples/${name}`
  if (!existsSync(join(project, folder, 'api.ts'))) throw new Error(`there is no app ${folder}`)
  const app = { project, folder, built: builtOf(project, join(project, folder)) }
  await buildApp(app)
  const own = ['schemas', 'locales'].map((part) => join(project, folder, part))
  await watchFolders(own, () => layDocuments(app))
  // Separate from the product's data, which only one process may open.
  process.env.DATA_DIR ??= join('data', folder)
  const { api } = await loadOfApp<{ api: AppApi }>(project, folder, 'api.ts')
  await serveApp(app.built, api)
}
