import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caps, capsOfBuild } from '#config-server/caps.rules.ts'
import type { CallManifest, Catalog, WidgetManifest } from '#language/catalog.ts'

async function readJson<T>(root: string, file: string): Promise<T> {
  const path = join(root, file)
  if (!existsSync(path)) throw new Error(`${file} is missing; npm run generate writes it`)
  return JSON.parse(await readFile(path, 'utf8')) as T
}

/** What documents may name: widgets and icons of the app, calls of the API. */
export async function readCatalog(root: string): Promise<Catalog> {
  const [{ widgets, icons }, calls] = await Promise.all([
    readJson<{ widgets: WidgetManifest[]; icons: string[] }>(root, 'widgets/manifest.json'),
    readJson<CallManifest[]>(root, 'contract/manifest.json'),
  ])
  return { widgets, icons, calls }
}

/** What the app can show that is served beside this server: the build in dist/, else the sources that a development server serves. */
export async function readOwnCaps(root: string, { widgets }: Catalog): Promise<Caps> {
  return existsSync(join(root, 'dist/caps.json')) ? readJson<Caps>(root, 'dist/caps.json') : capsOfBuild(widgets)
}
