import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { projectRoot } from '#bench/product.ts'

const target = ['chrome111', 'edge111', 'firefox114', 'safari16.4']

/** Builds and compresses the handwritten page in the same way as the product. */
export async function buildHandwritten(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: join(projectRoot, 'bench/load/handwritten'),
    base: '/handwritten/',
    logLevel: 'warn',
    plugins: [react()],
    build: { outDir, emptyOutDir: true, target, modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false },
  })
  for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)))
  }
}

export interface Part {
  name: string
  gzip: number
}

/** Modules that are not counted as the engine. */
const outside =
  /^(?:react|react-dom|react-router|react-router-dom|react-i18next|i18next|axios|@tanstack\/query-core|@base-ui\/react|scheduler|use-sync-external-store)(?:\/|$)/
const noWidgets = '\0no-widgets'
const engineOnly: Plugin = {
  name: 'engine-only',
  enforce: 'pre',
  resolveId: (source) => (source === '#widgets/registry.ts' ? noWidgets : source.endsWith('.css') ? '\0no-style' : undefined),
  load: (id) => (id === noWidgets ? 'export const widgets = []' : id === '\0no-style' ? '' : undefined),
}

const gzip = (text: string) => gzipSync(text, { level: 9 }).length

/** Gzip size of the app's entry without packages and widgets, and its largest modules. Code loaded later does not count. */
export async function engineSize(): Promise<{ bytes: number; modules: Part[] }> {
  const made = await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'error',
    plugins: [engineOnly, react()],
    define: { 'import.meta.env.VITE_CAPS': '""', __CAPS__: '""' },
    build: {
      write: false,
      target,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(projectRoot, 'app/main.tsx'),
        external: (id) => outside.test(id),
        // One chunk, as in the product.
        output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'], includeDependenciesRecursively: false }] } },
      },
    },
  })
  const chunks = [made].flat().flatMap((one) => ('output' in one ? one.output : []))
  const byName = new Map(chunks.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])))
  const first = [...byName.values()].find((one) => one.isEntry)!
  const now = new Set([first.fileName])
  for (const name of now) for (const next of byName.get(name)?.imports ?? []) if (byName.has(next)) now.add(next)
  const modules: Part[] = []
  let bytes = 0
  for (const name of now) {
    const chunk = byName.get(name)!
    bytes += gzip(chunk.code)
    for (const [id, module] of Object.entries(chunk.modules)) {
      if (module.code) modules.push({ name: id.replace(`${projectRoot}/`, '').replace(/^.*node_modules\//, ''), gzip: gzip(module.code) })
    }
  }
  return { bytes, modules: modules.sort((a, b) => b.gzip - a.gzip) }
}
