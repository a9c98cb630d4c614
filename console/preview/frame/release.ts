import type { FrameDocument, SetChange } from '#console/preview/protocol.ts'
import type { DocumentKey, Manifest } from '#language/publish/release.ts'
import type { EventStream } from '#renderer/calls/event-stream.ts'
import type { Fetch } from '#renderer/config/config-source.ts'

type Tree = Record<string, unknown>

/** Takes the place of the config server in the frame: the console's documents are the release, and each change is the next release. */
interface FrameRelease {
  /** Applies a change and notifies the listeners. */
  put(change: SetChange): void
  /** Version of the documents; 0 before the first. */
  version(): number
  fetch: Fetch
  eventSource: (url: string) => EventStream
}

/** Fills missing texts from this language, as the config server does. */
const baseLanguage = 'en'
/** Members of a document by which the client judges a release; they come with the manifest. */
const inlined: readonly DocumentKey[] = ['app/app', 'routes/routes', 'theme/theme']

const replacedKept = 500

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The texts of one language merged over those of the base language. */
export function filled(own: Tree | undefined, base: Tree | undefined): Tree {
  if (!own || !base || own === base) return own ?? base ?? {}
  const words: Tree = { ...base }
  for (const [name, word] of Object.entries(own)) {
    const under = words[name]
    words[name] = isTree(word) && isTree(under) ? filled(word, under) : word
  }
  return words
}

export function createRelease(): FrameRelease {
  const documents = new Map<string, FrameDocument & { name: string }>()
  const words = new Map<string, Map<string, Tree>>()
  /** Names of revisions. Every change gets a new one, so that the client notices it. */
  const areaNames = new Map<string, string>()
  const bodies = new Map<string, () => unknown>()
  /** Replaced revisions, which the client may still request from its manifest. */
  const replaced: string[] = []
  const streams = new Set<(event: { data?: unknown }) => void>()
  let version = 0
  let next = 1

  const retire = (name: string | undefined) => {
    if (name === undefined) return
    replaced.push(name)
    for (const gone of replaced.splice(0, Math.max(0, replaced.length - replacedKept))) bodies.delete(gone)
  }
  const fresh = (old: string | undefined, body: () => unknown): string => {
    retire(old)
    const name = `r${next++}`
    bodies.set(name, body)
    return name
  }
  function putWords(language: string, area: string, tree: Tree | null): void {
    const areas = words.get(language) ?? new Map<string, Tree>()
    words.set(language, areas)
    if (tree) areas.set(area, tree)
    else areas.delete(area)
    // The filled texts of the other languages change too.
    for (const one of language === baseLanguage ? words.keys() : [language]) {
      const key = `${one}/${area}`
      areaNames.set(
        key,
        fresh(areaNames.get(key), () => filled(words.get(one)?.get(area), words.get(baseLanguage)?.get(area))),
      )
    }
  }
  const hash = () => `preview-${version}`

  function manifest(asked: string): Manifest {
    const locale = words.has(asked) ? asked : baseLanguage
    const areas = new Set([...(words.get(baseLanguage)?.keys() ?? []), ...(words.get(locale)?.keys() ?? [])])
    const first = inlined.flatMap((key) => documents.get(key) ?? [])
    return {
      release: version,
      hash: hash(),
      locale,
      documents: Object.fromEntries(
        [...documents].map(([key, { name, uses, areas }]) => [key, { sha256: name, uses: [...uses], areas: [...areas] }]),
      ),
      texts: Object.fromEntries([...areas].map((area) => [area, areaNames.get(`${locale}/${area}`) ?? nameOf(locale, area)])),
      inline: Object.fromEntries(first.map(({ name, doc }) => [name, doc])),
    }
  }
  /** An area of the base language alone. */
  function nameOf(locale: string, area: string): string {
    const name = fresh(undefined, () => filled(words.get(locale)?.get(area), words.get(baseLanguage)?.get(area)))
    areaNames.set(`${locale}/${area}`, name)
    return name
  }
  function answer(url: string): Response {
    const { pathname, searchParams } = new URL(url, 'http://frame')
    if (pathname === '/config/manifest') return Response.json(manifest(searchParams.get('locale') ?? ''))
    const name = /^\/config\/documents\/(\w+)\.json$/.exec(pathname)?.[1]
    const body = name === undefined ? undefined : bodies.get(name)
    return body ? Response.json(body()) : Response.json({}, { status: 404 })
  }

  return {
    put(change) {
      version = change.version
      for (const [key, document] of Object.entries(change.documents)) {
        const before = documents.get(key)
        if (document)
          documents.set(key, {
            ...document,
            name: fresh(before?.name, () => document.doc),
          })
        else {
          documents.delete(key)
          retire(before?.name)
        }
      }
      for (const [language, areas] of Object.entries(change.words))
        for (const [area, tree] of Object.entries(areas)) putWords(language, area, tree)
      const data = JSON.stringify({ release: version, hash: hash() })
      for (const tell of streams) tell({ data })
    },
    version: () => version,
    fetch: async (url) => answer(url),
    eventSource: () => {
      let mine: ((event: { data?: unknown }) => void) | undefined
      return {
        addEventListener(type, listener) {
          // A new listener loads what was set before.
          if (type === 'open') queueMicrotask(() => listener({}))
          if (type !== 'release') return
          mine = listener
          streams.add(listener)
        },
        close: () => void (mine && streams.delete(mine)),
      }
    },
  }
}
