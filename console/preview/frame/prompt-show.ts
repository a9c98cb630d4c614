import type { PromptDoc } from '#language/documents/documents.ts'
import { compilePrompt, loadPrompt, promptTexts } from '#renderer/actions/prompt.ts'
import { overlay } from '#renderer/core/scope.ts'
import type { Engine } from '#renderer/engine/types.ts'

/** Samples for parameters that are calculated with; other parameters show their name. */
const samples: readonly [RegExp, string][] = [
  [/(?:^|_)(?:spread|percent)$/i, '0.01'],
  [/(?:^|_)(?:amount|received|fee|pay|get|price|rate|total|count)$/i, '100'],
  [/(?:^|_)coin$/i, 'BTC'],
]

/** A sample value for each parameter that a prompt reads, whatever action opens it. */
export function promptSamples(doc: unknown): Record<string, string> {
  const names = [...JSON.stringify(doc).matchAll(/"(?:\$|var)":"params\.([A-Za-z0-9_]+)/g)].map((found) => found[1] as string)
  return Object.fromEntries(names.map((name) => [name, samples.find(([pattern]) => pattern.test(name))?.[1] ?? `‹${name}›`]))
}

type PromptEngine = Pick<Engine, 'config' | 'i18n' | 'outer' | 'say' | 'ui'>
interface PromptShow {
  /** Opens a prompt over the current page; null closes it. */
  show(id: string | null): void
  /** Renders the wanted prompt again after the documents or the page changed. */
  draw(): void
}

interface Options {
  /** Undefined until the app has started. */
  engine: () => PromptEngine | undefined
  /** Address of the page that is shown. */
  address: () => string
  /** Called with the id of the open prompt. */
  shown: (id: string | null) => void
}

/** Keeps one prompt open in the preview, with sample values, until it is answered. */
export function createPromptShow({ engine, address, shown }: Options): PromptShow {
  let wished: string | null = null
  let round = 0
  let open: { id: string; texts: string; close: () => void } | undefined

  const close = () => {
    const former = open
    open = undefined
    former?.close()
  }
  /** @throws when the prompt cannot be loaded or read */
  async function textsOf(now: PromptEngine, id: string) {
    const doc: PromptDoc = await loadPrompt(now as Engine, id)
    const scope = overlay(now.outer, { params: promptSamples(doc) })
    return promptTexts(compilePrompt(doc), scope, now.say, { ok: now.say('engine.ok'), cancel: now.say('engine.cancel') })
  }
  async function draw(): Promise<void> {
    const [now, id, mine] = [engine(), wished, ++round]
    if (!now || id === null) return
    const texts = await textsOf(now, id)
    if (mine !== round) return
    const written = JSON.stringify(texts)
    if (open?.id === id && open.texts === written) return
    close()
    const from = address()
    const answer = now.ui.ask(texts)
    const asked = now.ui.prompts().at(-1)
    const standing = { id, texts: written, close: () => asked?.settle(false) }
    open = standing
    shown(id)
    await answer
    if (open !== standing) return
    open = undefined
    // A closed page closes its prompts; the next page opens the prompt again.
    if (address() !== from) return
    wished = null
    shown(null)
  }
  // The last valid state stays open while the document is invalid.
  const drawQuietly = () => void draw().catch(() => undefined)
  return {
    show(id) {
      wished = id
      if (id !== null) return drawQuietly()
      round += 1
      close()
      shown(null)
    },
    draw: drawQuietly,
  }
}
