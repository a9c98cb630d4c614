import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = dirname(fileURLToPath(import.meta.url))

/** What this build of the app can show. The config server reads dist/caps.json; the app sends the hash. */
function readBuild() {
  const file = join(root, 'widgets/manifest.json')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '[]'
  const read = JSON.parse(text) as Widgets | { widgets: Widgets }
  const widgets = (Array.isArray(read) ? read : read.widgets).map(({ type, major }) => `${type}@${major}`)
  const format = 1
  return { hash: createHash('sha256').update(`${format}\n${text}`).digest('hex'), format, widgets }
}
type Widgets = { type: string; major: number }[]

const textual = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])
const smallestWorth = 512

/** Writes name.br and name.gz beside each textual file, so that serving is sending, and dist/caps.json. */
function finish(build: ReturnType<typeof readBuild>): Plugin {
  let outDir = ''
  return {
    name: 'compress-and-caps',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
    },
    closeBundle() {
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
  /[\\/]node_modules[\\/](?:react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next|@tanstack[\\/]query-core|axios|mitt|json-logic-js|big\.js)[\\/]/

/** The publisher has checked the props of every document, so the built app leaves their schemas out of the passports. */
function withoutPropSchemas(): Plugin {
  return {
    name: 'without-prop-schemas',
    apply: 'build',
    transform: {
      order: 'post',
      filter: { id: /[\\/]widgets[\\/].+\.widget\.ts$/ },
      handler(code) {
        let text = code
        const visit = (node: unknown): void => {
          if (typeof node !== 'object' || node === null) return
          const { type, key, value } = node as {
            type?: string
            key?: { name?: string }
            value?: { start: number; end: number; type?: string }
          }
          if (type === 'Property' && key?.name === 'props' && value?.type === 'CallExpression') {
            text = `${text.slice(0, value.start)}${'0'.padEnd(value.end - value.start)}${text.slice(value.end)}`
          } else for (const part of Object.values(node)) visit(part)
        }
        visit(this.parse(code))
        return { code: text, map: null }
      },
    },
  }
}

export default defineConfig(({ isSsrBuild }) => {
  if (isSsrBuild) return { publicDir: false, build: { target: 'node20', emptyOutDir: true, copyPublicDir: false } }
  const build = readBuild()
  return {
    plugins: [react(), withoutPropSchemas(), finish(build)],
    define: { 'import.meta.env.VITE_CAPS': JSON.stringify(build.hash), __CAPS__: JSON.stringify(build.hash) },
    build: {
      outDir: 'dist/app',
      emptyOutDir: true,
      target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'vendor', test: vendor }] } } },
    },
  }
})
