import { useEffect, useState } from 'react'
import { startCheckThread } from '#console/io/check-thread.ts'
import { withWords } from '#console/io/sources.ts'
import type { PreparedSet } from '#console/io/workspace-types.ts'
import type { Catalog } from '#language/types/catalog.ts'

/** A set of files as clients would get it, worked out beside the page's thread. Null until it is. */
export function usePrepared(files: Readonly<Record<string, string>> | null, catalog: Catalog | null): PreparedSet | null {
  const [set, setSet] = useState<PreparedSet | null>(null)
  useEffect(() => {
    if (!files || !catalog) return
    const thread = startCheckThread((answer) => {
      if (answer.kind === 'problems') return
      if (answer.kind === 'prepared') {
        const documents = Object.fromEntries(answer.change.documents.map((one) => [one.key, one]))
        setSet({ revision: 1, documents, words: withWords({}, answer.change.words) })
      }
      thread.end()
    }, false)
    thread.begin(catalog, { ...files })
    return () => {
      thread.end()
      setSet(null)
    }
  }, [files, catalog])
  return set
}
