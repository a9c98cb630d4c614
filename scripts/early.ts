import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Adds renderer/early-script.ts to the page as a separate script before the app's. It has no imports, so it runs while the rest loads. The
 * page's policy allows no inline script. The code of the feed, which the app requests when it runs, is loaded with the rest.
 * @param root folder of the project
 * @param caps hash of what this build can show
 * @param feed whether the app has live prices, whose socket is opened early too
 */
export function earlyScript(root: string, caps: string, feed: boolean): Plugin {
  let [name, code] = ['', '']
  return {
    name: 'early-script',
    apply: 'build',
    async buildStart() {
      const made = await build({
        configFile: false,
        root,
        publicDir: false,
        logLevel: 'warn',
        define: { 'import.meta.env.VITE_CAPS': JSON.stringify(caps), 'import.meta.env.VITE_FEED': JSON.stringify(feed) },
        build: {
          write: false,
          target: 'chrome111',
          modulePreload: false,
          reportCompressedSize: false,
          rolldownOptions: { input: join(root, 'renderer/early-script.ts'), output: { format: 'iife' } },
        },
      })
      const chunk = [made]
        .flat()
        .flatMap((one) => ('output' in one ? one.output : []))
        .find((one) => one.type === 'chunk')
      if (!chunk) throw new Error('renderer/early-script.ts gave no script')
      code = chunk.code
      name = `assets/early-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: name, source: code })
    },
    transformIndexHtml(_html, { bundle }) {
      const feed = Object.values(bundle ?? {}).find((one) => one.type === 'chunk' && one.name === 'feed-page')
      return [
        { tag: 'script', attrs: { async: true, fetchpriority: 'high', src: `/${name}` }, injectTo: 'head-prepend' },
        ...(feed ? [{ tag: 'link', attrs: { rel: 'modulepreload', href: `/${feed.fileName}` }, injectTo: 'head' as const }] : []),
      ]
    },
  }
}
