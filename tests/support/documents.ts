import { readCatalog } from '#config-server/catalog.ts'
import { readSources } from '#config-server/files.ts'
import type { DocumentSet } from '#flows/set.ts'
import { parse } from '#language/documents/parse.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

/** The documents and texts of the repository. */
export async function ownDocuments(): Promise<DocumentSet> {
  const [{ files, texts }, catalog] = await Promise.all([readSources(projectRoot), readCatalog(projectRoot)])
  return { name: 'files', documents: parse(files).documents, texts, catalog }
}
