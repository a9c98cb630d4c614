import { readdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { capsOfBuild } from '#config-server/serving/caps.rules.ts'
import { functions } from '#contract/functions/registry.ts'
import { topicNames } from '#contract/topics.ts'
import type { WidgetManifest } from '#language/types/catalog.ts'
import { backOfficeDocuments } from '#scripts/back-office.ts'

const root = dirname(fileURLToPath(import.meta.url))
const textual = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt'])
const smallestWorth = 512

/** Pages stand at the top of the folder, as their addresses say; name.br and name.gz beside each textual file, so that serving is sending. */
function finish(): Plugin {
  return {
    name: 'place-and-compress',
    apply: 'build',
    writeBundle() {
      const pages = join(root, 'dist/console/console')
      for (const page of readdirSync(pages)) renameSync(join(pages, page), join(root, 'dist/console', page))
      rmdirSync(pages)
      for (const entry of readdirSync(join(root, 'dist/console'), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !textual.has(extname(entry.name))) continue
        const path = join(entry.parentPath, entry.name)
        const body = readFileSync(path)
        if (body.length < smallestWorth) continue
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
        writeFileSync(`${path}.br`, brotliCompressSync(body, { params }))
        writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }))
      }
    },
  }
}

/** The preview inside the console says the same of itself as the app of this build. */
function caps() {
  const { widgets } = JSON.parse(readFileSync(join(root, 'widgets/manifest.json'), 'utf8')) as { widgets: WidgetManifest[] }
  return JSON.stringify(capsOfBuild({ widgets, functions, topics: topicNames.map((name) => ({ name })) }).hash)
}

/**
 * The operators' console, and the frames of its preview and of its back office. Documents are written here, so
 * `#zod` is zod, and every operator is there at once.
 */
export default defineConfig({
  base: '/console/',
  publicDir: false,
  plugins: [react(), backOfficeDocuments(root), finish()],
  resolve: { alias: { '#zod': 'zod', '#computing-operators': join(root, 'language/expression/computing-operators.ts') } },
  worker: { format: 'es', rolldownOptions: { output: { strictExecutionOrder: true } } },
  optimizeDeps: { entries: ['console/*.html'] },
  define: { 'import.meta.env.VITE_CAPS': caps(), __CAPS__: caps() },
  build: {
    outDir: 'dist/console',
    emptyOutDir: true,
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      input: Object.fromEntries(['index', 'preview', 'back-office'].map((name) => [name, join(root, `console/${name}.html`)])),
      output: {
        // zod-config.ts comes before the schemas, in whichever chunks they are.
        strictExecutionOrder: true,
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler|react-router|react-router-dom|i18next)[\\/]/ },
            { name: 'codemirror', test: /[\\/]node_modules[\\/](?:@codemirror|@lezer|style-mod|w3c-keyname|crelt)[\\/]/ },
            { name: 'words-en', test: /[\\/]console[\\/]locales[\\/]en[\\/]/ },
          ],
        },
      },
    },
  },
})
