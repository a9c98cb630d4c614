/** Texts of one object by language: `texts.get('ja')?.title`. */
export type Translations = ReadonlyMap<string, Readonly<Record<string, string>>>

export interface Article {
  nid: number
  c_id: number
  type: string
  cover: string
  time: number
  texts: Translations
}
export interface Banner {
  id: number
  page: string
  image: string
  to: string
  nid: number | null
  texts: Translations
}

/** Everything that operators write for customers, in display order. */
export interface Content {
  settings: ReadonlyMap<string, Translations>
  pages: ReadonlyMap<string, { updated: number; texts: Translations }>
  channels: readonly { id: string; texts: Translations }[]
  banners: readonly Banner[]
  /** Ids of the articles shown as running notices. */
  notices: readonly number[]
  /** Id of the announcement over the home screen. */
  pop: number | null
  /** Newest first. */
  articles: readonly Article[]
  faq: readonly { id: number; texts: Translations }[]
  /** Long names of instruments, such as Bitcoin or Gold. */
  symbols: ReadonlyMap<string, Translations>
  menu: readonly { id: number; name: string; to: string; texts: Translations }[]
}

/** Returns a text in the requested language, else in English, else in any language, else ''. */
export function textIn(texts: Translations, lang: string, field: string): string {
  const own = texts.get(lang)?.[field] ?? texts.get('en')?.[field]
  if (own !== undefined) return own
  for (const fields of texts.values()) if (fields[field] !== undefined) return fields[field]
  return ''
}

/** One page of a list. Pages count from 1; a page after the end is empty. */
export function pageOf<T>(rows: readonly T[], page: number, size: number): { list: T[]; total: number } {
  return { list: rows.slice((page - 1) * size, page * size), total: rows.length }
}

export function articleRow(article: Article, lang: string) {
  const { nid, c_id, cover, time, texts } = article
  return { nid, c_id, title: textIn(texts, lang, 'title'), summary: textIn(texts, lang, 'summary'), cover, time }
}

export function wholeArticle(article: Article, lang: string) {
  return { ...articleRow(article, lang), content: textIn(article.texts, lang, 'content') }
}
