import { type Migration, sqlStep } from '#server-kit/db/db.ts'

/** Texts have a table of their own. `owner` names what a text belongs to: `article:7`, `page:aboutus`, `setting:site_name`. */
export interface ContentTextTable {
  owner: string
  lang: string
  field: string
  text: string
  /** SHA-256 (hex) of the text that the product brought. A text with another hash was written by an operator; null: not known. */
  seeded: string | null
}
declare module '#server-kit/db/db.ts' {
  interface Tables {
    content_text: ContentTextTable
    setting: { keyword: string }
    page: { id: string; updated_at: number }
    contact_channel: { id: string; position: number }
    article_category: { c_id: number }
    article: { nid: number; c_id: number; type: string; cover: string; published_at: number; pop: boolean }
    banner: { id: number; page: string; image: string; target: string; nid: number | null; position: number }
    notice: { nid: number; position: number }
    faq: { id: number; position: number }
    menu_link: { id: number; name: string; target: string; position: number }
  }
}

export const contentMigrations: readonly Migration[] = [
  sqlStep(
    'content-base',
    [
      `create table content_text (owner text not null, lang text not null, field text not null, text text not null, seeded text,
        primary key (owner, lang, field))`,
      'create table setting (keyword text primary key)',
      'create table page (id text primary key, updated_at bigint not null)',
      'create table contact_channel (id text primary key, position int not null)',
      'create table article_category (c_id int primary key)',
      `create table article (nid int primary key check (nid > 0), c_id int not null references article_category, type text not null,
        cover text not null, published_at bigint not null, pop boolean not null)`,
      'create unique index article_one_pop on article (pop) where pop',
      `create table banner (id int primary key, page text not null, image text not null, target text not null,
        nid int references article, position int not null)`,
      'create table notice (nid int primary key references article, position int not null)',
      'create table faq (id int primary key, position int not null)',
      'create table menu_link (id int primary key, name text not null, target text not null, position int not null)',
    ],
    ['content-1', 'content-2'],
  ),
]
