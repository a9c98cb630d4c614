import type { Content, Translations } from '#api-server/content/content.rules.ts'
import type { Database } from '#server-kit/db/db.ts'

export interface ContentStore {
  load(): Promise<Content>
}

const nothing: Translations = new Map()

/** Reads all content in one snapshot, so that lists and texts belong together. */
export function createContentStore(database: Database): ContentStore {
  return {
    load: () =>
      database.transaction(async (tx) => {
        const byOwner = new Map<string, Map<string, Record<string, string>>>()
        for (const { owner, lang, field, text } of await tx.selectFrom('content_text').selectAll().execute()) {
          const languages = byOwner.get(owner) ?? new Map<string, Record<string, string>>()
          byOwner.set(owner, languages)
          languages.set(lang, { ...languages.get(lang), [field]: text })
        }
        const texts = (kind: string, id: string | number) => byOwner.get(`${kind}:${id}`) ?? nothing
        const settings = await tx.selectFrom('setting').selectAll().execute()
        const pages = await tx.selectFrom('page').selectAll().execute()
        const channels = await tx.selectFrom('contact_channel').selectAll().orderBy('position').execute()
        const articles = await tx.selectFrom('article').selectAll().orderBy('published_at', 'desc').orderBy('nid', 'desc').execute()
        const banners = await tx.selectFrom('banner').selectAll().orderBy('position').execute()
        const notices = await tx.selectFrom('notice').selectAll().orderBy('position').execute()
        const faq = await tx.selectFrom('faq').selectAll().orderBy('position').execute()
        const menu = await tx.selectFrom('menu_link').selectAll().orderBy('position').execute()
        return {
          settings: new Map(settings.map((row) => [row.keyword, texts('setting', row.keyword)])),
          pages: new Map(pages.map((row) => [row.id, { updated: row.updated_at, texts: texts('page', row.id) }])),
          channels: channels.map((row) => ({ id: row.id, texts: texts('channel', row.id) })),
          banners: banners.map((row) => ({
            id: row.id,
            page: row.page,
            image: row.image,
            to: row.target,
            nid: row.nid,
            texts: texts('banner', row.id),
          })),
          notices: notices.map((row) => row.nid),
          pop: articles.find((row) => row.pop)?.nid ?? null,
          articles: articles.map((row) => ({ ...row, time: row.published_at, texts: texts('article', row.nid) })),
          symbols: new Map(
            [...byOwner].flatMap(([owner, names]) => (owner.startsWith('symbol:') ? [[owner.slice(7), names] as const] : [])),
          ),
          faq: faq.map((row) => ({ id: row.id, texts: texts('faq', row.id) })),
          menu: menu.map((row) => ({ id: row.id, name: row.name, to: row.target, texts: texts('menu', row.id) })),
        }
      }),
  }
}
