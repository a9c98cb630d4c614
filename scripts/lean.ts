import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { feedLimits } from '#contract/feed.ts'
import { limits } from '#language/documents/limits.ts'

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
export const __vitePreload = (load, paths = []) => Promise.all(paths.map(bring)).then(load)
`

const contractDir = fileURLToPath(new URL('../contract/', import.meta.url))
const eager = new Set(['index', 'app', 'vendor'])

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
 * The walker of json-logic-js without its own operators: language/expression/operators.ts brings every operator that may be published, and
 * language/types/check-logic.ts refuses the rest before anything is walked. Also without what no module of ours calls.
 * @throws when the package is another than this was written for
 */
export function walkerOnly(code: string): string {
  const [walk, values, apply, own, uses, add, rm] = [
    'jsonLogic.is_logic = ',
    'jsonLogic.get_values = ',
    'jsonLogic.apply = ',
    'if (operations.hasOwnProperty(op)',
    'jsonLogic.uses_data = ',
    'jsonLogic.add_operation = ',
    'jsonLogic.rm_operation = ',
  ].map((words) => code.indexOf(words)) as [number, number, number, number, number, number, number]
  const places = [0, walk, values, apply, own, uses, add, rm]
  if (!places.every((place, i) => i === 0 || place > places[i - 1]!))
    throw new Error('json-logic-js is built differently now; see walkerOnly')
  const parts = [code.slice(walk, values), code.slice(apply, own), 'return operations[op].apply(data, values) };', code.slice(add, rm)]
  return `const jsonLogic = {}\nconst operations = {}\n${parts.join('\n')}\nexport default jsonLogic\n`
}

/** Calls of the contract as text, half of what they weigh as JSON: what follows from a name is not written. @returns a module */
export function routesAsText(rows: Record<string, readonly string[]>): string {
  const lines = Object.entries(rows).map(([name, [method, path, auth, ...flags]]) => {
    const own = path === `/${name.replace('.', '/')}` ? '' : path
    const mark = auth === 'none' ? '' : flags.includes('keyed') ? '*' : '!'
    const lookups = flags.filter((flag) => flag.startsWith('rows:'))
    return [mark + name, method === 'POST' ? '' : method, own, ...lookups].join(' ').trimEnd()
  })
  const text = lines.join('|')
  const row = `method || 'POST', path || '/' + name.replace('.', '/')`
  // A table without marks needs no code that reads them.
  const read = /[!*]/.test(text)
    ? `const name = word.replace(/^[!*]/, '')
  routes[name] = [${row}, ...(name === word ? ['none'] : word[0] === '*' ? ['user', 'keyed'] : ['user']), ...lookups]`
    : `routes[name] = [${row}, 'none', ...lookups]`
  return `const routes = {}
for (const line of ${JSON.stringify(text)}.split('|')) {
  const [${/[!*]/.test(text) ? 'word' : 'name'}, method, path, ...lookups] = line.split(' ')
  ${read}
}
export default routes
`
}

/**
 * Parts of axios that no call of ours reaches, by file below axios/lib, with what stands in their place: bodies are URLSearchParams or
 * FormData and nothing else, calls end by signals, and the token is a header, so no cookie is read.
 */
export const unusedOfAxios: Readonly<Record<string, string>> = {
  'adapters/fetch.js': 'export const getFetch = undefined',
  'helpers/HttpStatusCode.js': 'export default {}',
  'helpers/formDataToJSON.js': 'export default undefined',
  'helpers/toFormData.js': 'export default undefined',
  'helpers/toURLEncodedForm.js': 'export default undefined',
  'helpers/AxiosURLSearchParams.js': 'export default undefined',
  'helpers/cookies.js': 'export default {}',
  'helpers/isURLSameOrigin.js': 'export default () => false',
  'helpers/spread.js': 'export default undefined',
  'helpers/validator.js': `const none = () => undefined
export default { assertOptions: none, validators: { boolean: none, function: none, spelling: none, transitional: none } }`,
  'cancel/CancelToken.js': 'export default undefined',
}
const axiosFile = /[\\/]axios[\\/]lib[\\/](.+\.js)$/
const nameInAxios = (id: string) => axiosFile.exec(id)?.[1]?.replaceAll('\\', '/') ?? ''

/** query-core without mutations: what changes something is sent by perform-call.ts, which finds out what became of it. Only what QueryClient calls. */
export const noMutations = `export class MutationCache {
  findAll() { return [] }
  clear() {}
  resumePausedMutations() { return Promise.resolve() }
}
`
const mutationsFile = /[\\/]@tanstack[\\/]query-core[\\/]build[\\/]modern[\\/]mutationCache\.js$/

/** What packages bring for other places than a browser of today stays out: an axios that sends with XMLHttpRequest needs no second transport. */
export function lean(): Plugin {
  return {
    name: 'lean',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^#contract\/routes(?:\.user)?\.json$/ },
      handler: (id) => id.replace('#contract/', '\0').replace('.json', ''),
    },
    load: {
      filter: { id: [/^\0(?:routes(?:\.user)?|vite\/preload-helper\.js)$/, axiosFile, mutationsFile, /[\\/]json-logic-js[\\/]logic\.js$/] },
      handler(id) {
        if (id.startsWith('\0routes')) return routesAsText(JSON.parse(readFileSync(`${contractDir}${id.slice(1)}.json`, 'utf8')))
        if (mutationsFile.test(id)) return noMutations
        if (axiosFile.test(id)) return unusedOfAxios[nameInAxios(id)]
        return id.endsWith('logic.js') ? walkerOnly(readFileSync(id, 'utf8')) : bringStyles
      },
    },
  }
}

interface Span {
  start: number
  end: number
}
interface Shape {
  type?: string
  start: number
  end: number
  callee?: { name?: string }
  arguments?: readonly Span[]
  id?: { name?: string }
  init?: Span
  object?: { name?: string }
  property?: { name?: string }
  computed?: boolean
  expressions?: readonly { name?: string; property?: { name?: string } }[]
  quasis?: readonly Span[]
  body?: Span
  properties?: readonly (Span & { key?: { name?: string } })[]
}
interface Cut {
  start: number
  end: number
  /** What stands there instead. */
  put: string
}

/** The code with some of its nodes written differently; a node inside of another that is written differently is not looked at. */
function rewritten(code: string, tree: unknown, cutsOf: (node: Shape) => readonly Cut[]): { code: string; map: null } {
  const cuts: Cut[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { start, end } = node as Shape
    if (cuts.some((cut) => cut.start <= start && end <= cut.end)) return
    cuts.push(...cutsOf(node as Shape))
    for (const part of Object.values(node)) visit(part)
  }
  visit(tree)
  let text = code
  for (const { start, end, put } of cuts.sort((a, b) => b.start - a.start)) text = text.slice(0, start) + put + text.slice(end)
  return { code: text, map: null }
}

/** What refuses something written: its arguments say why and where. */
const refusals = new Set(['refuse', 'bad', 'ExpressionProblem'])
/** Looks whether an operator knows the words that it was given; the publisher has. */
const wordsJudge = 'checkWords'
/** What to write in place of an operator that is refused. */
const advice = 'refusedOperators'

/**
 * Why and where something may not be published is said to its author, by publisher and editor. The app needs to know that it may not; and
 * that the words of an operator are ones that it knows has been seen to when it was published.
 */
export function withoutReasons(): Plugin {
  return {
    name: 'without-reasons',
    apply: 'build',
    transform: {
      order: 'post',
      filter: { id: /[\\/]language[\\/](?:[\w-]+[\\/])?[\w-]+\.ts$/ },
      handler(code) {
        return rewritten(code, this.parse(code), (node) => {
          const { type, callee, arguments: given, id, init, expressions, quasis, body, properties } = node
          if ((type === 'CallExpression' || type === 'NewExpression') && refusals.has(callee?.name ?? '')) {
            const [first, last] = [given?.[0], given?.at(-1)]
            return first && last ? [{ start: first.start, end: last.end, put: '' }] : []
          }
          if (type === 'ClassDeclaration' && id?.name === 'ExpressionProblem' && body) return [{ ...body, put: '{}' }]
          if (type === 'FunctionDeclaration' && id?.name === wordsJudge && body) return [{ ...body, put: '{}' }]
          // Nobody asks where, so nobody is told either.
          const where = type === 'ObjectExpression' ? properties?.filter(({ key }) => key?.name === 'pointer') : undefined
          if (where?.length)
            return where.map(({ start, end }) => ({ start, end: end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0), put: '' }))
          if (type === 'VariableDeclarator' && id?.name === advice && init) return [{ start: init.start, end: init.end, put: '{}' }]
          // A text that goes on from a pointer is the pointer of what lies below.
          const [from, first] = [expressions?.[0], quasis?.[0]]
          const pointer = type === 'TemplateLiteral' && first?.start === first?.end && (from?.property ?? from)?.name === 'pointer'
          return pointer ? [{ start: node.start, end: node.end, put: `''` }] : []
        })
      },
    },
  }
}

const numbers: Readonly<Record<string, Readonly<Record<string, number>>>> = { limits, feedLimits }
const fromTables = /import \{[^}]*\b(?:limits|feedLimits)\b[^}]*\} from ["']#(?:language\/documents\/limits|contract\/feed)\.ts["']/

/** Writes the numbers that server and app share where they are read, so that the tables of them stay out. */
export function numbersWritten(): Plugin {
  return {
    name: 'numbers-written',
    apply: 'build',
    transform: {
      order: 'post',
      filter: { id: /[\\/](?:language|renderer|widgets)[\\/].+\.tsx?$/, code: fromTables },
      handler(code) {
        return rewritten(code, this.parse(code), ({ type, object, property, computed, start, end }) => {
          const number = type === 'MemberExpression' && !computed ? numbers[object?.name ?? '']?.[property?.name ?? ''] : undefined
          return number === undefined ? [] : [{ start, end, put: String(number) }]
        })
      },
    },
  }
}
