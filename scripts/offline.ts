import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { build, type Plugin } from 'vite'

/** Files of the shell: the page, its scripts and styles, its icons. Pictures of content and the built-in set are fetched on demand. */
const shell = /^(?:index\.html|(?:coins|icon)\.svg|app\.webmanifest|icons\/.+\.png|assets\/.+\.(?:js|css|woff2))$/

/** Files that the service worker caches: addresses with the hash of their content, or null when the address contains a hash. */
function shellOf(dir: string): { url: string; revision: string | null }[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => shell.test(name))
    .sort()
    .map((name) => ({
      url: name === 'index.html' ? '/' : `/${name}`,
      revision: name.startsWith('assets/')
        ? null
        : createHash('sha256')
            .update(readFileSync(join(dir, name)))
            .digest('hex')
            .slice(0, 16),
    }))
}

/** Builds sw.js after the app, with the list of files to cache. */
export function offlineShell(root: string): Plugin {
  let outDir = ''
  return {
    name: 'offline-shell',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async writeBundle() {
      if (!existsSync(join(outDir, 'index.html'))) return
      await build({
        configFile: false,
        root,
        publicDir: false,
        logLevel: 'warn',
        define: { __SHELL__: JSON.stringify(shellOf(outDir)), 'process.env.NODE_ENV': '"production"' },
        build: {
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          target: 'chrome111',
          reportCompressedSize: false,
          rolldownOptions: { input: join(root, 'renderer/offline/worker.ts'), output: { format: 'iife', entryFileNames: 'sw.js' } },
        },
      })
    },
  }
}
