import { BrokenSources } from '#config-server/broken-sources.ts'
import { readCatalog } from '#config-server/catalog.ts'
import { createCheck } from '#config-server/check.ts'
import { readSources } from '#config-server/files.ts'
import { makeRelease, manifestJson, type Revision, revisionOf, select, textRevisions } from '#config-server/release.rules.ts'
import type { Manifest } from '#language/publish/release.ts'

/**
 * The documents and words that a build carries for a first start without a config server, as files below /built-in of the app:
 * `documents.json` is a manifest with every document inline and no words, `<language>.json` the texts of a manifest with every word inline.
 * @param root folder of the project
 * @returns name → content
 * @throws BrokenSources when the documents may not be published
 */
export async function builtInFiles(root: string): Promise<Map<string, string>> {
  const [{ files, texts, problems: unread }, catalog] = await Promise.all([readSources(root), readCatalog(root)])
  const { prepared, problems } = unread.length ? { prepared: [], problems: unread } : createCheck(catalog)(files, texts)
  if (problems.length) throw new BrokenSources(problems)
  const release = makeRelease(0, prepared.map(revisionOf), textRevisions(texts))
  const inline = (revisions: Iterable<Revision>) =>
    Object.fromEntries([...revisions].map(({ sha256, canonical }) => [sha256, JSON.parse(canonical) as unknown]))
  const manifest = JSON.parse(manifestJson(select([release], undefined)!, '')) as Manifest
  const made = new Map([['documents.json', JSON.stringify({ ...manifest, texts: {}, inline: inline(release.documents.values()) })]])
  for (const [language, areas] of release.texts) {
    const names = Object.fromEntries([...areas].map(([area, { sha256 }]) => [area, sha256]))
    made.set(`${language}.json`, JSON.stringify({ locale: language, texts: names, inline: inline(areas.values()) }))
  }
  return made
}
