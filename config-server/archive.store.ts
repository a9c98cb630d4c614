import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caps, readCatalog } from '#config-server/caps.rules.ts'
import { type DocumentRevision, makeRelease, type Release, type Revision, sha256 } from '#config-server/release.rules.ts'
import type { DocumentKey } from '#language/release.ts'
import type { Log } from '#server-kit/log.ts'

/** Builds that said what they can show, the newest last. `own` were served from here. */
export interface KnownBuilds {
  own: readonly Caps[]
  registered: readonly Caps[]
}

/** What the config server remembers beyond its end. */
export interface Archive {
  /** Releases that were live, newest first. What cannot be read, or is not what its name says, is left out and logged. */
  releases(): Promise<Release[]>
  builds(): Promise<KnownBuilds>
  /** The highest number that was ever given to a release, readable or not. */
  lastNumber(): Promise<number>
  /**
   * Everything that the release consists of, then the release itself, so that a process that is killed leaves either all of it or nothing.
   * A disk that takes no more is logged and costs only what would have been remembered; this goes for `keepBuilds` too.
   */
  keep(release: Release, kept: readonly Release[]): Promise<void>
  keepBuilds(builds: KnownBuilds): Promise<void>
}

/** A release as it is written: names of revisions, which are files of their own and shared by releases. */
interface Written {
  release: number
  hash: string
  documents: Record<DocumentKey, Pick<DocumentRevision, 'sha256' | 'requires' | 'uses' | 'areas'>>
  texts: Record<string, Record<string, string>>
}

const fileOf = (release: number) => `${String(release).padStart(8, '0')}.json`
const numberOf = (file: string) => Number(/^(\d{8})\.json$/.exec(file)?.[1] ?? 0)
const writesAtOnce = 32

/** @param folder is made when it is not there; one process writes to it at a time */
export function createArchive(folder: string, log: Log): Archive {
  const path = { releases: join(folder, 'releases'), revisions: join(folder, 'revisions'), builds: join(folder, 'builds.json') }
  /** Revisions that are known to lie in the folder, whole. */
  const lying = new Set<string>()

  const list = async (dir: string): Promise<string[]> =>
    readdir(dir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  /** A reader sees the old file or the new one, never a part. */
  async function write(file: string, text: string): Promise<void> {
    await writeFile(`${file}.part`, text)
    await rename(`${file}.part`, file)
  }
  async function inPortions<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
    for (let i = 0; i < all.length; i += writesAtOnce) await Promise.all(all.slice(i, i + writesAtOnce).map(work))
  }
  async function revision(sha: string): Promise<Revision> {
    const text = await readFile(join(path.revisions, `${sha}.json`), 'utf8')
    if (sha256(text) !== sha) throw new Error(`revision ${sha} is damaged`)
    lying.add(sha)
    return { sha256: sha, canonical: text }
  }

  async function readRelease(file: string, known: Map<string, Revision>): Promise<Release> {
    const read = async (sha: string) => {
      const found = known.get(sha) ?? (await revision(sha))
      known.set(sha, found)
      return found
    }
    const written = JSON.parse(await readFile(join(path.releases, file), 'utf8')) as Written
    const documents: DocumentRevision[] = []
    for (const [key, entry] of Object.entries(written.documents))
      documents.push({ ...entry, ...(await read(entry.sha256)), key: key as DocumentKey })
    const texts = new Map<string, Map<string, Revision>>()
    for (const [language, areas] of Object.entries(written.texts)) {
      const table = new Map<string, Revision>()
      for (const [area, sha] of Object.entries(areas)) table.set(area, await read(sha))
      texts.set(language, table)
    }
    const release = makeRelease(written.release, documents, texts)
    if (release.hash !== written.hash) throw new Error(`release ${written.release} is not what it says`)
    return release
  }

  return {
    async lastNumber() {
      return Math.max(0, ...(await list(path.releases)).map(numberOf))
    },
    async releases() {
      const files = (await list(path.releases)).filter(numberOf).sort().reverse()
      const known = new Map<string, Revision>()
      const found: Release[] = []
      for (const file of files) {
        try {
          found.push(await readRelease(file, known))
        } catch (error) {
          log.warn({ file, err: error }, 'an earlier release cannot be read')
        }
      }
      return found
    },
    async builds() {
      const nothing = { own: [], registered: [] }
      const text = await readFile(path.builds, 'utf8').catch(() => undefined)
      if (text === undefined) return nothing
      try {
        const { own, registered } = JSON.parse(text) as Record<'own' | 'registered', unknown[]>
        return { own: own.flatMap((one) => readCatalog(one) ?? []), registered: registered.flatMap((one) => readCatalog(one) ?? []) }
      } catch (error) {
        log.warn({ err: error }, 'the list of builds cannot be read')
        return nothing
      }
    },
    keep: (release, kept) => tried(() => keep(release, kept)),
    keepBuilds: (builds) =>
      tried(async () => {
        await mkdir(folder, { recursive: true })
        await write(path.builds, JSON.stringify(builds))
      }),
  }

  async function tried(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => log.error({ folder, err: error }, 'the archive of releases could not be written'))
  }

  async function keep(release: Release, kept: readonly Release[]): Promise<void> {
    await Promise.all([mkdir(path.releases, { recursive: true }), mkdir(path.revisions, { recursive: true })])
    const fresh = revisionsOf(release).filter(({ sha256: sha }) => !lying.has(sha))
    await inPortions([...new Map(fresh.map((one) => [one.sha256, one])).values()], async (one) => {
      await write(join(path.revisions, `${one.sha256}.json`), one.canonical)
      lying.add(one.sha256)
    })
    const written: Written = {
      release: release.release,
      hash: release.hash,
      documents: Object.fromEntries(
        [...release.documents].map(([key, { sha256: sha, requires, uses, areas }]) => [key, { sha256: sha, requires, uses, areas }]),
      ),
      texts: Object.fromEntries(
        [...release.texts].map(([language, areas]) => [
          language,
          Object.fromEntries([...areas].map(([area, { sha256: sha }]) => [area, sha])),
        ]),
      ),
    }
    await write(join(path.releases, fileOf(release.release)), JSON.stringify(written))
    await forget(kept)
  }

  /** Removes releases that are no longer kept, and revisions that none of the kept ones has. */
  async function forget(kept: readonly Release[]): Promise<void> {
    const numbers = new Set(kept.map((one) => one.release))
    const gone = (await list(path.releases)).filter((file) => !numbers.has(numberOf(file)))
    if (gone.length === 0) return
    await inPortions(gone, (file) => rm(join(path.releases, file), { force: true }))
    const named = new Set(kept.flatMap(revisionsOf).map(({ sha256: sha }) => `${sha}.json`))
    const loose = (await list(path.revisions)).filter((file) => !named.has(file))
    await inPortions(loose, (file) => rm(join(path.revisions, file), { force: true }))
    for (const file of loose) lying.delete(file.replace('.json', ''))
  }
}

/** Every document and text of a release. */
export const revisionsOf = (release: Release): Revision[] => [
  ...release.documents.values(),
  ...[...release.texts.values()].flatMap((areas) => [...areas.values()]),
]
