import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { builtInFiles } from '#config-server/serving/built-in.ts'
import { capsOfBuild } from '#config-server/serving/caps.rules.ts'
import { functions } from '#contract/functions/registry.ts'
import { topicNames } from '#contract/topics.ts'
import type { WidgetManifest } from '#language/types/catalog.ts'
import { earlyScript } from '#scripts/early.ts'
import { offlineShell } from '#scripts/offline.ts'

const root = dirname(fileURLToPath(import.meta.url))

/** What this build of the app can show. The config server reads dist/caps.json; the app sends the hash, and the rest when it is asked. */
function readBuild() {
  const file = join(root, 'widgets/manifest.json')
  const { widgets } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { widgets: WidgetManifest[] }) : { widgets: [] }
  return capsOfBuild({ widgets, functions, topics: topicNames.map((name) => ({ name })) })
}

const textual = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])
const smallestWorth = 512

/** Writes the built-in set, name.br and name.gz beside each textual file, so that serving is sending, and dist/caps.json. */
function finish(build: ReturnType<typeof readBuild>): Plugin {
  let outDir = ''
  return {
    name: 'compress-and-caps',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const carried = join(outDir, 'built-in')
      mkdirSync(carried, { recursive: true })
      for (const [name, text] of await builtInFiles(root)) writeFileSync(join(carried, name), text)
      writeFileSync(join(carried, 'caps.json'), JSON.stringify(build))
      for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !textual.has(extname(entry.name))) continue
        const path = join(entry.parentPath, entry.name)
        const body = readFileSync(path)
        if (body.length < smallestWorth) continue
        const br = brotliCompressSync(body, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
        })
        writeFileSync(`${path}.br`, br)
        writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }))
      }
      mkdirSync(join(root, 'dist'), { recursive: true })
      writeFileSync(join(root, 'dist/caps.json'), JSON.stringify(build))
    },
  }
}

/** Needed before anything shows. What is not named here comes in the chunk of who asks for it: charts, sheets, carousels. */
const vendor =
  /[\\/]node_modules[\\/](?:react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next|@tanstack[\\/]query-core|axios|mitt|json-logic-js)[\\/]/

/** Views of form fields come together: a form needs several, and each is small. What one of them fetches later stays apart. */
const fields =
  /[\\/]widgets[\\/](?:[a-z-]+-field[\\/](?!Strength|strength|common)(?!.*\.widget\.ts$)|parts[\\/]fields[\\/](?:FieldFrame|NumberBox|PickBox|field|fieldValue|number\.rules|search\.rules|usePicture|picture\.rules)\.)/

/** What follows the first paint comes in one piece. */
const rest =
  /[\\/]renderer[\\/](?:after-paint\.ts|(?:actions|calls)[\\/](?:guards|perform(?:-\w+)?)\.ts|config[\\/](?:config-(?:stream|change)|prefetch)\.ts|data[\\/]data-live\.ts|engine[\\/](?:gate|problems)\.ts|core[\\/]plan\.ts|react[\\/]layers[\\/](?:Layers|PromptHost)\.tsx)$/

/** The process that draws pictures is a program of its own, beside the built server. */
function pictureProcess(): Plugin {
  return {
    name: 'picture-process',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: join(root, 'api-server/upload/picture.child.ts'), fileName: 'picture.child.js' })
    },
  }
}

export default defineConfig(({ isSsrBuild }) => {
  if (isSsrBuild)
    return {
      plugins: [pictureProcess()],
      publicDir: false,
      build: {
        target: 'node20',
        emptyOutDir: true,
        copyPublicDir: false,
        // What runs flows is installed for development alone; without it the server says that they were not run.
        rolldownOptions: { external: ['playwright', '@axe-core/playwright'] },
      },
    }
  const build = readBuild()
  return {
    plugins: [react(), earlyScript(root, build.hash), offlineShell(root), finish(build)],
    // While developing; without it the pages of the console would be scanned as well, which have a configuration of their own.
    optimizeDeps: { entries: ['index.html', 'gallery.html'] },
    define: { 'import.meta.env.VITE_CAPS': JSON.stringify(build.hash), __CAPS__: JSON.stringify(build.hash) },
    build: {
      outDir: 'dist/app',
      emptyOutDir: true,
      target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'vendor', test: vendor },
              { name: 'fields', test: fields, includeDependenciesRecursively: false },
              { name: 'rest', test: rest, includeDependenciesRecursively: false },
              // In one piece it is smaller than in the pieces that later chunks share with it.
              { name: 'app', tags: ['$initial'], includeDependenciesRecursively: false },
            ],
          },
        },
      },
    },
  }
})
