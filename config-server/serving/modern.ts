import { type DocumentRevision, revisionOf } from '#config-server/release.rules.ts'
import type { AnyDoc, Json } from '#language/documents/documents.ts'
import { formatServed } from '#language/documents/nodes.ts'
import { prepare } from '#language/documents/prepare.ts'
import { formatMigrations } from '#language/publish/format-migrations.ts'
import { type Migrations, migrateDocument, NoWay, type Target } from '#language/publish/migrate.ts'
import type { Catalog } from '#language/types/catalog.ts'
import { widgetMigrations } from '#widgets/migrations.ts'

/** The steps of this build. */
export const migrations: Migrations = { formats: formatMigrations, widgets: widgetMigrations }

/** A revision that was published before a widget or the language moved on, as it is written now. */
export interface Modern {
  /** Undefined for a revision that is written for today, and for one that nothing leads on from. */
  of(revision: DocumentRevision): DocumentRevision | undefined
}

/**
 * @param migrations steps of the language and of the widgets
 * @param format version of the language that documents are brought to
 */
export function createModern(catalog: Catalog, migrations: Migrations, format: number = formatServed): Modern {
  const target: Target = { format, majors: new Map(catalog.widgets.map(({ type, major }) => [type, major])) }
  const made = new Map<string, DocumentRevision | undefined>()

  function isOld({ requires }: DocumentRevision): boolean {
    return requires.format < format || requires.widgets.some((ref) => majorOf(ref) < (target.majors.get(typeOf(ref)) ?? 0))
  }
  function make(revision: DocumentRevision): DocumentRevision | undefined {
    try {
      const written = new Map<string, number>()
      for (const ref of revision.requires.widgets) written.set(typeOf(ref), Math.max(majorOf(ref), written.get(typeOf(ref)) ?? 0))
      const doc = migrateDocument(JSON.parse(revision.canonical) as Json, target, migrations, written) as unknown as AnyDoc
      const [prepared] = prepare([{ file: '', text: '', key: revision.key, doc }], catalog, format)
      return prepared && revisionOf(prepared)
    } catch (error) {
      // It stays as it was published, for the builds that can show it.
      if (error instanceof NoWay) return undefined
      throw error
    }
  }
  return {
    of(revision) {
      if (!isOld(revision)) return undefined
      if (!made.has(revision.sha256)) made.set(revision.sha256, make(revision))
      return made.get(revision.sha256)
    },
  }
}

const typeOf = (ref: string) => ref.split('@', 1)[0] as string
const majorOf = (ref: string) => Number(ref.split('@')[1] ?? 1)
