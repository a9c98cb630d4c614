import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'
import { builtInFiles } from '#config-server/serving/built-in.ts'
import type { Caps } from '#config-server/serving/caps.rules.ts'
import { earlyScript } from '#scripts/early.ts'
import { offlineShell } from '#scripts/offline.ts'

/** How the pages of an app are built: those of the product, and those of another app on the same engine. */

export interface AppBuild {
  /** Folder of the project. */
  project: string
  /** Folder with schemas/, locales/ and manifests; the build writes dist/caps.json below it. */
  documents: string
  /** Folder of index.html, where it is not that of the project. */
  page?: string
  outDir: string
  /** What the build can show. */
  caps: Caps
  /** Whether the app has live prices. */
  feed: boolean
  define?: Record<string, string>
}

const textual = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])
const smallestWorth = 512

/** Writes the built-in set, name.br and name.gz beside each textual file, so that serving is sending, and dist/caps.json. */
function finish(documents: string, caps: Caps): Plugin {
  let outDir = ''
  return {
    name: 'compress-and-caps',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      const carried = join(outDir, 'built-in')
      mkdirSync(carried, { recursive: true })
      for (const [name, text] of await builtInFiles(documents)) writeFileSync(join(carried, name), text)
      writeFileSync(join(carried, 'caps.json'), JSON.stringify(caps))
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
      const file = join(documents, 'dist/caps.json')
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(caps))
    },
  }
}

/**
 * Asks the browser to compile all functions of the entries, and of what they import, while the files arrive: most of them run before the first
 * paint. The comment is an explicit compile hint, which Chromium 136 and later follow and other browsers ignore. The code stays as it is.
 */
function compiledEarly(): Plugin {
  return {
    name: 'compiled-early',
    apply: 'build',
    generateBundle: {
      // The hint must be the first line. The bundler's option `banner` puts it below code that Vite adds.
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [one] : []))
        const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName, imports }) => [fileName, ...imports]))
        for (const chunk of chunks) if (first.has(chunk.fileName)) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      },
    },
  }
}

/** Needed before anything shows. What is not named here comes in the chunk of who asks for it: charts, sheets, carousels. */
const vendor =
  /[\\/]node_modules[\\/](?:react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next|@tanstack[\\/]query-core|axios|mitt|json-logic-js)[\\/]/

/** Views of form fields come together: a form needs several, and each is small. What one of them fetches later stays apart. */
const fields =
  /[\\/]widgets[\\/](?:[a-z-]+-field[\\/](?!Strength|strength|common)(?!.*\.(?:props|widget)\.ts$)|parts[\\/]fields[\\/](?:FieldFrame|NumberBox|PickBox|field|fieldValue|number\.rules|search\.rules|usePicture|picture\.rules)\.)/

/** What follows the first paint comes in one piece. */
const afterPaint =
  /[\\/]renderer[\\/](?:after-paint\.ts|(?:actions|calls)[\\/]perform(?:-\w+)?\.ts|config[\\/](?:config-(?:stream|change)|prefetch)\.ts|data[\\/]data-live\.ts|engine[\\/](?:gate|problems)\.ts|core[\\/]plan\.ts|react[\\/]layers[\\/](?:Layers|PromptHost)\.tsx)$/

/** The configuration of such a build. */
export function appBuild({ project, documents, page, outDir, caps, feed, define }: AppBuild): UserConfig {
  const hash = JSON.stringify(caps.hash)
  return {
    ...(page && { root: page, publicDir: false as const }),
    plugins: [react(), earlyScript(project, caps.hash, feed), offlineShell(project), compiledEarly(), finish(documents, caps)],
    define: { 'import.meta.env.VITE_CAPS': hash, __CAPS__: hash, ...define },
    build: {
      outDir,
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
              { name: 'after-paint', test: afterPaint, includeDependenciesRecursively: false },
              // In one piece it is smaller than in the pieces that later chunks share with it.
              { name: 'app', tags: ['$initial'], includeDependenciesRecursively: false },
            ],
          },
        },
      },
    },
  }
}
