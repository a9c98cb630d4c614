import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { ContentTextTable } from '#api-server/content/content.migration.ts'
import { type Database, type Tx, takeTurnIn, write } from '#server-kit/db/db.ts'

const id = z.int().positive()
const page = z.object({ title: z.string(), content: z.string() })

/** Demonstration content in one language: `seed/<lng>.json`. */
const seedFile = z.object({
  settings: z.record(z.string(), z.string()),
  pages: z.record(z.string(), page),
  channels: z.array(z.object({ id: z.string(), label: z.string(), value: z.string() })),
  categories: z.record(z.string(), z.string()),
  articles: z.array(
    z.object({
      nid: id,
      c_id: id,
      type: z.enum(['news', 'notice', 'guide']),
      title: z.string(),
      summary: z.string(),
      content: z.string(),
      daysAgo: z.number().nonnegative(),
      cover: z.string(),
    }),
  ),
  banners: z.array(
    z.object({ id, page: z.string(), image: z.string(), title: z.string(), text: z.string(), to: z.string(), nid: id.nullable() }),
  ),
  notices: z.array(id),
  pop: id.nullable(),
  faq: z.array(z.object({ id, group: z.string(), question: z.string(), answer: z.string() })),
  menu: z.array(z.object({ id, name: z.string(), title: z.string(), to: z.string() })),
  symbols: z.record(z.string(), z.string()),
})
export type SeedFile = z.infer<typeof seedFile>

const dayMs = 86_400_000

/** Reads all languages of a folder, English first. @throws Error that names the file and the position of a mistake */
export function readSeed(folder: string): Map<string, SeedFile> {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  const sorted = files.sort((a, b) => Number(b === 'en.json') - Number(a === 'en.json') || a.localeCompare(b))
  return new Map(
    sorted.map((name) => {
      const read = seedFile.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
      if (!read.success) throw new Error(`${join(folder, name)}: ${z.prettifyError(read.error)}`)
      return [name.slice(0, -'.json'.length), read.data]
    }),
  )
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** All texts of one language as rows. */
function textRows(lang: string, file: SeedFile): ContentTextTable[] {
  const of = (owner: string, fields: Record<string, string>) =>
    Object.entries(fields).map(([field, text]) => ({ owner, lang, field, text, seeded: hashOf(text) }))
  return [
    ...Object.entries(file.settings).flatMap(([keyword, value]) => of(`setting:${keyword}`, { value })),
    ...Object.entries(file.pages).flatMap(([name, { title, content }]) => of(`page:${name}`, { title, content })),
    ...file.channels.flatMap(({ id, label, value }) => of(`channel:${id}`, { label, value })),
    ...Object.entries(file.categories).flatMap(([c_id, title]) => of(`category:${c_id}`, { title })),
    ...file.articles.flatMap(({ nid, title, summary, content }) => of(`article:${nid}`, { title, summary, content })),
    ...file.banners.flatMap(({ id, title, text }) => of(`banner:${id}`, { title, text })),
    ...file.faq.flatMap(({ id, group, question, answer }) => of(`faq:${id}`, { group, question, answer })),
    ...file.menu.flatMap(({ id, title }) => of(`menu:${id}`, { title })),
    ...Object.entries(file.symbols).flatMap(([symbol, title]) => of(`symbol:${symbol}`, { title })),
  ]
}

const rowsPerStatement = 500

async function insertTexts(tx: Tx, rows: ContentTextTable[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const some = rows.slice(from, from + rowsPerStatement)
    await write(some.length, tx.insertInto('content_text').values(some))
  }
}

async function insertThings(tx: Tx, first: SeedFile, now: number): Promise<void> {
  const put = async <R>(rows: R[], insert: (rows: R[]) => { execute(): Promise<unknown[]> }) => {
    if (rows.length) await write(rows.length, insert(rows))
  }
  await put(
    Object.keys(first.settings).map((keyword) => ({ keyword })),
    (rows) => tx.insertInto('setting').values(rows),
  )
  await put(
    Object.keys(first.pages).map((name) => ({ id: name, updated_at: now })),
    (rows) => tx.insertInto('page').values(rows),
  )
  await put(
    first.channels.map((row, position) => ({ id: row.id, position })),
    (rows) => tx.insertInto('contact_channel').values(rows),
  )
  await put(
    Object.keys(first.categories).map((c_id) => ({ c_id: Number(c_id) })),
    (rows) => tx.insertInto('article_category').values(rows),
  )
  const articles = first.articles.map(({ nid, c_id, type, cover, daysAgo }) => ({
    nid,
    c_id,
    type,
    cover,
    published_at: Math.round(now - daysAgo * dayMs),
    pop: nid === first.pop,
  }))
  await put(articles, (rows) => tx.insertInto('article').values(rows))
  const banners = first.banners.map(({ id, page, image, to, nid }, position) => ({ id, page, image, target: to, nid, position }))
  await put(banners, (rows) => tx.insertInto('banner').values(rows))
  await put(
    first.notices.map((nid, position) => ({ nid, position })),
    (rows) => tx.insertInto('notice').values(rows),
  )
  await put(
    first.faq.map((row, position) => ({ id: row.id, position })),
    (rows) => tx.insertInto('faq').values(rows),
  )
  const menu = first.menu.map(({ id, name, to }, position) => ({ id, name, target: to, position }))
  await put(menu, (rows) => tx.insertInto('menu_link').values(rows))
}

/** Brings stored texts to those of the files, where no operator has changed them. Deleted texts stay deleted. */
async function renewTexts(tx: Tx, brought: readonly ContentTextTable[], now: number): Promise<void> {
  const keyOf = ({ owner, lang, field }: Pick<ContentTextTable, 'owner' | 'lang' | 'field'>) => `${owner}\n${lang}\n${field}`
  const stored = new Map((await tx.selectFrom('content_text').selectAll().execute()).map((row) => [keyOf(row), row]))
  const pages = new Set<string>()
  for (const row of brought) {
    const kept = stored.get(keyOf(row))
    if (!kept || kept.seeded === row.seeded) continue
    const same = kept.text === row.text
    if (!same && kept.seeded !== hashOf(kept.text)) continue
    const { owner, lang, field, text, seeded } = row
    const found = tx.updateTable('content_text').where('owner', '=', owner).where('lang', '=', lang).where('field', '=', field)
    await write(1, found.set({ text, seeded }))
    if (!same && owner.startsWith('page:')) pages.add(owner.slice('page:'.length))
  }
  for (const page of pages) await write(1, tx.updateTable('page').set({ updated_at: now }).where('id', '=', page))
}

/**
 * Stores the demonstration content in an empty installation, completely or not at all. In an installation that has content, texts that
 * an earlier version brought and no operator has changed since become those of the files; nothing else changes.
 * Order, pictures and targets, which have no language, come from the first file.
 * @returns true when the whole content was stored now
 */
export async function seedContent(database: Database, files: ReadonlyMap<string, SeedFile>, now: number): Promise<boolean> {
  const first = files.values().next().value
  if (!first) return false
  const texts = [...files].flatMap(([lang, file]) => textRows(lang, file))
  return database.transaction(async (tx) => {
    await takeTurnIn(database, tx, 'seed')
    if (await tx.selectFrom('setting').select('keyword').limit(1).executeTakeFirst()) {
      await renewTexts(tx, texts, now)
      return false
    }
    await insertThings(tx, first, now)
    await insertTexts(tx, texts)
    return true
  })
}
