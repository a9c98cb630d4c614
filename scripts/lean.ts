import type { Plugin } from 'vite'

/** Brings a chunk's style sheets before the chunk itself runs; a failed one is asked for again the next time. */
const bringStyles = `
const begun = new Map()
function bring(path) {
  const href = '/' + path
  if (!begun.has(href)) {
    const link = document.createElement('link')
    const style = path.endsWith('.css')
    link.rel = style ? 'stylesheet' : 'modulepreload'
    link.href = href
    begun.set(href, style && !document.querySelector('link[rel=stylesheet][href="' + href + '"]') && new Promise((done, fail) => {
      link.onload = done
      link.onerror = () => {
        begun.delete(href)
        link.remove()
        fail(new Error('no ' + href))
      }
    }))
    document.head.append(link)
  }
  return begun.get(href)
}
const told = (problem) => {
  const event = new Event("vite:preloadError", { cancelable: true })
  event.payload = problem
  dispatchEvent(event)
  throw problem
}
export const __vitePreload = (load, paths) => Promise.all((paths ?? []).map(bring)).then(load).catch(told)
`

const eager = new Set(['index', 'vendor'])

/** Nearly all of the first chunks runs before the first paint, so the browser is told to compile it whole while it is still arriving. */
export function compiledAhead(): Plugin {
  return {
    name: 'compiled-ahead',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, files) {
        for (const file of Object.values(files))
          if (file.type === 'chunk' && eager.has(file.name)) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
      },
    },
  }
}

/** What packages bring for other places than a browser of today stays out: an axios that sends with XMLHttpRequest needs no second transport. */
export function lean(): Plugin {
  return {
    name: 'lean',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^\.\/fetch\.js$/ },
      handler: (_id, from) => (from?.includes('/axios/lib/adapters/') ? '\0no-fetch-adapter' : undefined),
    },
    load: {
      filter: { id: /^\0(?:no-fetch-adapter|vite\/preload-helper\.js)$/ },
      handler: (id) => (id === '\0no-fetch-adapter' ? 'export const getFetch = undefined' : bringStyles),
    },
  }
}

interface Shape {
  type?: string
  callee?: { name?: string }
  arguments?: readonly { type?: string; start: number; end: number }[]
}
/** What refuses something written, with the place of its reason among the arguments. */
const refusals = new Map([
  ['refuse', 2],
  ['bad', 1],
  ['ExpressionProblem', 2],
])
const written = new Set(['Literal', 'TemplateLiteral'])

/** Why something may not be published is said to its author, by publisher and editor. The app needs the code alone. */
export function withoutReasons(): Plugin {
  return {
    name: 'without-reasons',
    apply: 'build',
    transform: {
      order: 'post',
      filter: { id: /[\\/]language[\\/][\w-]+\.ts$/ },
      handler(code) {
        const cuts: { start: number; end: number }[] = []
        const visit = (node: unknown): void => {
          if (typeof node !== 'object' || node === null) return
          const { type, callee, arguments: given } = node as Shape
          const at = type === 'CallExpression' || type === 'NewExpression' ? refusals.get(callee?.name ?? '') : undefined
          const reason = at === undefined ? undefined : given?.[at]
          if (reason && written.has(reason.type ?? '')) cuts.push(reason)
          for (const part of Object.values(node)) visit(part)
        }
        visit(this.parse(code))
        let text = code
        for (const { start, end } of cuts.sort((a, b) => b.start - a.start)) text = `${text.slice(0, start)}''${text.slice(end)}`
        return { code: text, map: null }
      },
    },
  }
}
