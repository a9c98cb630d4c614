import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'
import { builtInFiles } from '#config-server/serving/built-in.ts'
import type { Caps } from '#config-server/serving/caps.rules.ts'
import { earlyScript } from '#scripts/early.ts'
import { offlineShell } from '#scripts/offline.ts'

/** Build of the pages of an app: the product's, or those of another app on the engine. */

interface AppBuild {
  /** Folder of the project. */
  project: string
  /** Folder with schemas/, locales/ and manifests; the build writes dist/caps.json into it. */
  documents: string
  /** Folder of index.html when it is not the project's. */
  page?: string
  outDir: string
  /** The names that the build can show. */
  caps: Caps
  /** Whether the app has live prices. */
  feed: boolean
  define?: Record<string, string>
}

const textual = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])
const smallestWorth = 512

/** Writes the built-in set, name.br and name.gz beside each text file, so that the server need not compress, and dist/caps.json. */
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
 * Asks the browser to compile all functions of the entries and their imports while the files arrive, because most of them run before the
 * first paint. The comment is an explicit compile hint, which Chromium 136 and later follow and other browsers ignore. The code is
 * unchanged.
 */
function compiledEarly(): Plugin {
  return {
    name: 'compiled-early',
    apply: 'build',
    generateBundle: {
      // The hint must be the first line. The bundler's option `banner` would put it below code that Vite adds.
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [one] : []))
        const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName, imports }) => [fileName, ...imports]))
        for (const chunk of chunks) if (first.has(chunk.fileName)) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      },
    },
  }
}

/** The parts of a schema of props that only editors, guides and the console read, which have them from the manifest of widgets. */
const unread: readonly [written: RegExp, read: string][] = [
  [/\.describe\(\s*(['"`])(?:\\.|(?!\1)[^\\])*\1,?\s*\)/g, ''],
  [/\.meta\(\{[^{}]*\}\)/g, ''],
  [/\.(?:min|max|length|nonempty|nonnegative|positive)\([\d_.-]*\)/g, ''],
  [/\bz\s*\.enum\(\[[^[\]]*\]\)/g, 'z.string()'],
  // widgets/parts/props.ts
  [/\b(?:coinCode|decimal|entries|market|ref|share|text|timeMs|tone|usd)\((?:\{[^{}]*\}|[^(){}]*)\)/g, 'z.string()'],
]

/** The code of a schema of props as the engine reads it: lists, objects and what may be absent (renderer/zod-stub.ts). */
export const readByEngine = (code: string): string => unread.reduce((text, [written, read]) => text.replace(written, read), code)

function propsAsRead(): Plugin {
  return {
    name: 'props-as-read',
    apply: 'build',
    enforce: 'pre',
    transform: { filter: { id: /\.props\.ts$/ }, handler: (code) => ({ code: readByEngine(code), map: null }) },
  }
}

/** Packages needed before the first paint. Others are bundled with the code that imports them: charts, sheets, carousels. */
const vendor =
  /[\\/]node_modules[\\/](?:react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next|@tanstack[\\/]query-core|axios|mitt|json-logic-js)[\\/]/

/** Views of form fields share a chunk: a form needs several, and each is small. Code that one of them loads later stays separate. */
const fields =
  /[\\/]widgets[\\/](?:[a-z-]+-field[\\/](?!Strength|strength|common|decode)(?!.*\.(?:props|widget)\.ts$)|parts[\\/]fields[\\/](?:FieldFrame|NumberBox|PickBox|field|fieldValue|number\.rules|search\.rules|useInsertion|usePicture)\.)/

/** Code needed after the first paint, in one chunk. */
const afterPaint =
  /[\\/]renderer[\\/](?:after-paint\.ts|(?:actions|calls)[\\/]perform(?:-\w+)?\.ts|config[\\/](?:config-(?:stream|change)|prefetch)\.ts|data[\\/]data-live\.ts|engine[\\/](?:gate|problems)\.ts|core[\\/]plan\.ts|react[\\/]layers[\\/](?:(?:Layers|PromptHost)\.tsx|places\.ts|usePlaces\.ts))$/

/** Vite configuration of the build. */
export function appBuild({ project, documents, page, outDir, caps, feed, define }: AppBuild): UserConfig {
  const hash = JSON.stringify(caps.hash)
  return {
    ...(page && { root: page, publicDir: false as const }),
    plugins: [
      propsAsRead(),
      react(),
      earlyScript(project, caps.hash, feed),
      offlineShell(project),
      compiledEarly(),
      finish(documents, caps),
    ],
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
              // One chunk is smaller than the parts that later chunks would share with it.
              { name: 'app', tags: ['$initial'], includeDependenciesRecursively: false },
            ],
          },
        },
      },
    },
  }
}
