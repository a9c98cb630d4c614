import type { DocumentKey } from '#language/publish/release.ts'
import { compiledOf, loadScreen } from '#renderer/config/screens.ts'
import type { Engine } from '#renderer/engine/types.ts'

/** The customer has asked the browser to save data. */
export const savesData = () => (globalThis.navigator as { connection?: { saveData?: boolean } } | undefined)?.connection?.saveData === true

/**
 * Fetches the release's other screens while nothing else is to do, so that a tap is answered at once. Customers who save data get them when
 * they open them.
 */
export async function prefetchScreens(engine: Engine): Promise<void> {
  if (savesData()) return
  const manifest = engine.config.current()
  const keys = Object.keys(manifest?.documents ?? {}).filter((key): key is DocumentKey => key.startsWith('screen/'))
  for (const key of keys) {
    const doc = await loadScreen(engine, key.slice('screen/'.length)).catch(() => undefined)
    // A screen that cannot be compiled reports it itself when it is opened.
    if (doc) await between().then(() => attempt(() => compiledOf(doc, engine)))
    const forms = (manifest?.documents[key]?.uses ?? []).filter((use) => use.startsWith('form/'))
    const docs = [doc, ...forms.map((form) => engine.config.document(form as DocumentKey))]
    for (const type of docs.flatMap((one) => [...widgetsIn(one)])) preload(engine.registry.find(type)?.view)
  }
}

/** Types of all nodes below a document. */
function widgetsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, part] of Object.entries(value)) {
    if (name === 'widget' && typeof part === 'string') found.add(part)
    else widgetsIn(part, found)
  }
  return found
}

/** Views in chunks of their own can be loaded ahead; a failure shows when the view is needed. */
function preload(view: unknown): void {
  const { load } = (view ?? {}) as { load?: () => Promise<unknown> }
  load?.().catch(() => undefined)
}

/** A screen that is made ready ahead of time waits for a moment in which nobody types, but no longer than this. */
const betweenMsMax = 1_000
/** One screen at a time, so that no press waits for all of them. */
const between = () =>
  new Promise<void>((done) =>
    typeof requestIdleCallback === 'function' ? requestIdleCallback(() => done(), { timeout: betweenMsMax }) : setTimeout(done),
  )

function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // Somebody else tells.
  }
}
