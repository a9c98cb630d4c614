import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { type CallName, contract } from '#contract/contract.ts'
import { inline } from '#language/documents/inline.ts'
import { parse } from '#language/documents/parse.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

export type Part = Record<string, unknown>
/** A document as in releases, but with fragments not inserted: `screens/home/home`. */
export const document = (path: string): Part => {
  const text = readFileSync(join(projectRoot, 'schemas', `${path}.json`), 'utf8')
  const [source] = parse([{ file: path, text }]).documents
  return (source && inline(source.doc, { fragments: new Map(), forms: new Map(), how: 'expressions' }).doc) as unknown as Part
}
export const copy = <T>(value: T): T => structuredClone(value)

/** The node with this id, at any place. */
function nodeOf(part: unknown, id: string): Part {
  const found = seek(part, id)
  if (!found) throw new Error(`no node ${id}`)
  return found
}
function seek(part: unknown, id: string): Part | undefined {
  if (part === null || typeof part !== 'object') return undefined
  if ((part as Part).id === id && (part as Part).widget !== undefined) return part as Part
  for (const child of Object.values(part)) {
    const found = seek(child, id)
    if (found) return found
  }
  return undefined
}
/** A copy of a document with one node changed. */
export const changed = (path: string, id: string, change: (node: Part) => void) => {
  const doc = copy(document(path))
  change(nodeOf(doc, id))
  return doc
}
interface Manifest {
  documents: Record<string, { sha256: string; uses: string[]; areas: string[] }>
  texts: Record<string, string>
  inline: Record<string, unknown>
}
/** Modifies answers of the server on their way to the page. The end of a test does not wait for pending answers. */
async function bend<T>(page: Page, url: Parameters<Page['route']>[0], change: (body: T) => object): Promise<void> {
  await page.route(url, async (route) => {
    const { 'if-none-match': _, ...headers } = route.request().headers()
    try {
      const answer = await route.fetch({ headers })
      await route.fulfill({ response: answer, json: change((await answer.json()) as T) })
    } catch (problem) {
      if (!/already handled|disposed|has been closed/.test(String(problem))) throw problem
    }
  })
}
/** Modifies the page's manifest, bypassing all checks of the server. */
export const meddle = (page: Page, change: (manifest: Manifest) => void): Promise<void> =>
  bend<Manifest>(page, '**/config/manifest*', (manifest) => {
    change(manifest)
    return { ...manifest, hash: 'f'.repeat(16) }
  })
/** Modifies the data of a call's answer. */
export const bendCall = (page: Page, call: CallName, change: (data: Part) => object): Promise<void> =>
  bend<{ data: Part }>(
    page,
    (url) => url.pathname === `/api${contract[call].path}`,
    (body) => ({ ...body, data: { ...body.data, ...change(body.data) } }),
  )
/** Replaces documents of the release; null removes one. */
export const replace = (documents: Record<string, unknown>) => (manifest: Manifest) => {
  for (const [i, [key, doc]] of Object.entries(documents).entries()) {
    const entry = manifest.documents[key]
    if (!entry) throw new Error(`no ${key}`)
    delete manifest.inline[entry.sha256]
    if (doc === null) delete manifest.documents[key]
    else {
      entry.sha256 = String(i).padStart(64, 'f')
      manifest.inline[entry.sha256] = doc
    }
  }
}
