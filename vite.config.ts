import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { capsOfBuild } from '#config-server/serving/caps.rules.ts'
import { functions } from '#contract/functions/registry.ts'
import { topicNames } from '#contract/topics.ts'
import type { WidgetManifest } from '#language/types/catalog.ts'
import { appBuild } from '#scripts/app-build.ts'

const root = dirname(fileURLToPath(import.meta.url))

/**
 * Returns the names that this build of the app can show. The config server reads dist/caps.json; the app sends the hash, and the rest when
 * it is asked.
 */
function readBuild() {
  const file = join(root, 'widgets/manifest.json')
  const { widgets } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { widgets: WidgetManifest[] }) : { widgets: [] }
  return capsOfBuild({ widgets, functions, topics: topicNames.map((name) => ({ name })) })
}

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
        // The packages that run flows are installed for development alone; without them the server reports that flows were not run.
        rolldownOptions: { external: ['playwright', '@axe-core/playwright'] },
      },
    }
  return {
    ...appBuild({ project: root, documents: root, outDir: 'dist/app', caps: readBuild(), feed: true }),
    // While developing; without it the pages of the console would be scanned as well, which have a configuration of their own.
    optimizeDeps: { entries: ['index.html', 'gallery.html'] },
  }
})
