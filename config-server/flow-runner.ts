import { readCatalog } from '#config-server/catalog.ts'
import type { FlowRunner } from '#config-server/console/flows.ts'
import { sourcesOf } from '#config-server/files.ts'
import { hasBrowser, openBrowser } from '#flows/chromium.ts'
import { flowsFor, runFlows } from '#flows/runner.ts'
import { type DocumentSet, openSet } from '#flows/set.ts'
import { testStates } from '#flows/states.ts'
import { parse } from '#language/documents/parse.ts'
import type { FlowRun } from '#language/publish/publishing.ts'
import type { Catalog } from '#language/types/catalog.ts'

/** A set of documents out of files as operators write them. */
function setOf(name: string, files: Readonly<Record<string, string>>, catalog: Catalog): DocumentSet {
  const { files: documents, texts } = sourcesOf(Object.entries(files).map(([file, text]) => ({ file, text })))
  return { name, documents: parse(documents).documents, texts, catalog }
}

/**
 * Runs the flows that come by the screens of a draft, then looks at each of those screens in every state of its data. Nothing reaches the
 * API: everything is answered with samples.
 * @param root folder with the manifests of widgets and calls
 * @param chromium path of the only Chromium that may be used
 */
export function createFlowRunner(root: string, chromium?: string): FlowRunner {
  let known: Promise<boolean> | undefined
  return {
    available: () => (known ??= hasBrowser(chromium)),
    async run({ files, screens, origin, onProgress }) {
      const set = setOf('draft', files, await readCatalog(root))
      const pages = openSet(set)
      const shown = screens.filter((id) => pages.screens.has(id))
      const names = flowsFor(pages, new Set(screens))
      const total = names.length + shown.length
      const results: FlowRun['results'] = []
      const tell = (result: FlowRun['results'][number]) => {
        results.push(result)
        onProgress(results.length, total, result)
      }
      const browser = await openBrowser(chromium)
      try {
        const plain = ({ flow, ok, ms, step, message }: FlowRun['results'][number]) => tell({ flow, ok, ms, step, message })
        if (names.length > 0) await runFlows({ set, origin, names, browser, onProgress: (_done, _total, result) => plain(result) })
        for (const screen of shown) {
          const { findings, ms } = await testStates({ set, origin, browser, screens: [screen] })
          const [first] = findings
          const place = first ? `${first.state}, ${first.person}, ${first.language}` : ''
          const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''
          tell({ flow: `states of ${screen}`, ok: !first, ms, step: place, message: first ? first.what + more : '' })
        }
      } finally {
        await browser.close()
      }
      return results
    },
  }
}
