import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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

const routesFile = fileURLToPath(new URL('../contract/routes.json', import.meta.url))
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

/**
 * The walker of json-logic-js without its own operators: language/operators.ts brings every operator that may be published, and
 * language/check-logic.ts refuses the rest before anything is walked. Also without what no module of ours calls.
 * @throws when the package is another than this was written for
 */
export function walkerOnly(code: string): string {
  const [walk, uses, add, rm] = ['is_logic', 'uses_data', 'add_operation', 'rm_operation'].map((name) =>
    code.indexOf(`jsonLogic.${name} = `),
  )
  if (!(walk! > 0 && walk! < uses! && uses! < add! && add! < rm!)) throw new Error('json-logic-js is built differently now; see walkerOnly')
  return `const jsonLogic = {}\nconst operations = {}\n${code.slice(walk, uses)}\n${code.slice(add, rm)}\nexport default jsonLogic\n`
}

/** The calls of the contract as text, half of what they weigh as JSON: what follows from a name is not written. @returns a module */
export function routesAsText(rows: Record<string, readonly string[]>): string {
  const lines = Object.entries(rows).map(([name, [method, path, auth]]) => {
    const own = path === `/${name.replace('.', '/')}` ? '' : path
    return [`${auth === 'user' ? '!' : ''}${name}`, method === 'POST' ? '' : method, own].join(' ').trimEnd()
  })
  return `const routes = {}
for (const line of ${JSON.stringify(lines.join('|'))}.split('|')) {
  const [word, method, path] = line.split(' ')
  const name = word.replace('!', '')
  routes[name] = [method || 'POST', path || '/' + name.replace('.', '/'), name === word ? 'none' : 'user']
}
export default routes
`
}

/** What packages bring for other places than a browser of today stays out: an axios that sends with XMLHttpRequest needs no second transport. */
export function lean(): Plugin {
  return {
    name: 'lean',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:\.\/fetch\.js|#contract\/routes\.json)$/ },
      handler: (id, from) => (id.startsWith('#') ? '\0routes' : from?.includes('/axios/lib/adapters/') ? '\0no-fetch-adapter' : undefined),
    },
    load: {
      filter: { id: [/^\0(?:no-fetch-adapter|routes|vite\/preload-helper\.js)$/, /[\\/]json-logic-js[\\/]logic\.js$/] },
      handler(id) {
        if (id === '\0routes') return routesAsText(JSON.parse(readFileSync(routesFile, 'utf8')))
        if (id === '\0no-fetch-adapter') return 'export const getFetch = undefined'
        return id.endsWith('logic.js') ? walkerOnly(readFileSync(id, 'utf8')) : bringStyles
      },
    },
  }
}

interface Shape {
  type?: string
  callee?: { name?: string }
  arguments?: readonly { type?: string; start: number; end: number }[]
  id?: { name?: string }
  init?: { properties?: readonly { value: { start: number; end: number } }[] }
}
/** What refuses something written, with the place of its reason among the arguments. */
const refusals = new Map([
  ['refuse', 2],
  ['bad', 1],
  ['ExpressionProblem', 2],
])
const written = new Set(['Literal', 'TemplateLiteral'])
/** What to write in place of an operator that is refused. */
const advice = 'refusedOperators'

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
          const { type, callee, arguments: given, id, init } = node as Shape
          const at = type === 'CallExpression' || type === 'NewExpression' ? refusals.get(callee?.name ?? '') : undefined
          const reason = at === undefined ? undefined : given?.[at]
          if (reason && written.has(reason.type ?? '')) cuts.push(reason)
          if (type === 'VariableDeclarator' && id?.name === advice && init) for (const { value } of init.properties ?? []) cuts.push(value)
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
