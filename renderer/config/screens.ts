import type { ScreenDoc } from '#language/documents/documents.ts'
import { namedValues } from '#language/expression/named.ts'
import { type DocumentKey, engineAreas } from '#language/publish/release.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { type CompiledScreen, compileScreen } from '#renderer/core/compile.ts'
import { readParams } from '#renderer/core/route.ts'
import type { DataDeps } from '#renderer/data/data.ts'
import { warmSources } from '#renderer/data/data.ts'
import { hasOperators, loadOperators } from '#renderer/engine/operators.ts'
import { ScreenStore } from '#renderer/engine/store.ts'
import type { Engine } from '#renderer/engine/types.ts'

interface Needs {
  key: DocumentKey
  documents: DocumentKey[]
  areas: string[]
}

/** Returns the documents and texts that must be loaded before a screen can be drawn. Prompts come when they are asked. */
function needsOf(engine: Engine, id: string): Needs | undefined {
  const manifest = engine.config.current()
  const key: DocumentKey = `screen/${id}`
  const entry = manifest?.documents[key]
  if (!manifest || !entry) return undefined
  // The tab bar of the app stands on every screen.
  const lists = [...entry.uses, ...(manifest.documents['app/app']?.uses ?? [])].filter((use) => use.startsWith('quick-entries/'))
  const forms = entry.uses.filter((use) => use.startsWith('form/'))
  const rules = forms.flatMap((form) => manifest.documents[form as DocumentKey]?.uses ?? []).filter((use) => use.startsWith('validation/'))
  const used = new Set([key, ...([...lists, ...forms, ...rules] as DocumentKey[])])
  const own = [...used].filter((k) => Object.hasOwn(manifest.documents, k))
  const areas = new Set([...engineAreas, ...(forms.length ? ['form'] : []), ...own.flatMap((k) => manifest.documents[k]?.areas ?? [])])
  return { key, documents: own, areas: [...areas].filter((area) => Object.hasOwn(manifest.texts, area)) }
}

/** The documents themselves; the tab bar stands in the app's. Undefined for what is not here. */
const bodiesOf = ({ config }: Engine, { documents }: Needs) => [...documents, 'app/app' as const].map((key) => config.document(key))

/** The screen if all it needs is here already, so that it can be drawn in this frame. */
export function screenNow(engine: Engine, id: string): ScreenDoc | undefined {
  const needs = needsOf(engine, id)
  if (!needs) return undefined
  const here =
    needs.documents.every((key) => engine.config.document(key)) &&
    hasOperators(bodiesOf(engine, needs)) &&
    needs.areas.every((area) => engine.i18n.hasArea(engine.i18n.language(), area))
  return here ? (engine.config.document(needs.key) as ScreenDoc) : undefined
}

/** Brings a screen with its lists and words. @throws when the release has no such screen, or it cannot be had */
export async function loadScreen(engine: Engine, id: string): Promise<ScreenDoc> {
  const release = engine.config.current()?.hash
  const needs = needsOf(engine, id)
  if (!needs) throw new Error(`no screen ${id} in this release`)
  // A list that cannot be had leaves a gap; only the screen itself is missed as a whole.
  const fetched = needs.documents.map((key) =>
    engine.config.fetchDocument(key).catch((problem: unknown) => {
      // A network that failed says nothing about the document.
      if (problem instanceof CallProblem && problem.name === 'answer_unreadable') engine.bus.emit('document-lost', { document: key })
      if (key === needs.key) throw problem
    }),
  )
  await Promise.all([...fetched, loadAreas(engine, needs.areas)])
  // A release that came meanwhile may need more.
  if (engine.config.current()?.hash !== release) return loadScreen(engine, id)
  const bodies = bodiesOf(engine, needs)
  if (!hasOperators(bodies)) await loadOperators(bodies, engine.functions)
  return engine.config.document(needs.key) as ScreenDoc
}

export async function loadAreas({ config, i18n }: Engine, areas: readonly string[]): Promise<void> {
  const language = i18n.language()
  const localeNow = () => config.current()?.locale ?? language
  const locale = localeNow()
  const load = async (area: string) => {
    const words = await config.fetchTexts(area)
    // Words that came after another language was chosen are of that one.
    i18n.addArea(localeNow() === locale ? language : localeNow(), area, words)
  }
  await Promise.all(areas.filter((area) => !i18n.hasArea(language, area)).map(load))
}

const compiled = new WeakMap<ScreenDoc, CompiledScreen<unknown>>()

/** A screen made ready to be drawn, once for each revision of its document. */
export function compiledOf<View>(doc: ScreenDoc, engine: Engine<View>): CompiledScreen<View> {
  let screen = compiled.get(doc)
  if (!screen) compiled.set(doc, (screen = compileScreen<unknown>(doc, engine.registry)))
  return screen as CompiledScreen<View>
}

/** Returns the parts of the engine that the data sources of any screen need. */
export function dataDeps(engine: Engine): DataDeps {
  return {
    queries: engine.queries,
    api: engine.api,
    language: () => engine.language().id,
    pageSize: Number(engine.app().constants.pageSize ?? 10),
    say: engine.say,
    mayCall: engine.session.mayCall,
    unsent: async () => (await import('#renderer/data/unsent.ts')).unsentOf(engine),
  }
}

/** Begins to load the data of a screen that will be drawn next. Resolves when all has come or failed. */
export async function warmScreen(engine: Engine, doc: ScreenDoc, query: URLSearchParams): Promise<void> {
  const read = readParams(doc.params, query)
  if ('wrong' in read) return
  const { sources, values } = compiledOf(doc, engine)
  const store = new ScreenStore(engine.outer, read.params, doc.state ?? {}, doc.lists)
  store.values = namedValues(values)
  await warmSources(sources, store, dataDeps(engine))
}
