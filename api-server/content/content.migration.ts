import { sql } from 'kysely'
import type { Migration } from '#server-kit/db/db.ts'

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

export const contentMigration: Migration = {
  id: 'content-1',
  async up(tx) {
    for (const statement of [
      sql`create table content_text (owner text not null, lang text not null, field text not null, text text not null, primary key (owner, lang, field))`,
      sql`create table setting (keyword text primary key)`,
      sql`create table page (id text primary key, updated_at bigint not null)`,
      sql`create table contact_channel (id text primary key, position int not null)`,
      sql`create table article_category (c_id int primary key)`,
      sql`create table article (nid int primary key check (nid > 0), c_id int not null references article_category, type text not null,
        cover text not null, published_at bigint not null, pop boolean not null)`,
      sql`create unique index article_one_pop on article (pop) where pop`,
      sql`create table banner (id int primary key, page text not null, image text not null, target text not null,
        nid int references article, position int not null)`,
      sql`create table notice (nid int primary key references article, position int not null)`,
      sql`create table faq (id int primary key, position int not null)`,
      sql`create table menu_link (id int primary key, name text not null, target text not null, position int not null)`,
    ])
      await statement.execute(tx)
  },
}

/** First 16 digits of the SHA-256 of each text that earlier versions of `seed/` brought and this one no longer has. */
const broughtBefore = `
006763787b4c35b9 00a05fce19732187 02e9b7bbeacccf1b 05e27cc9251e77df 060a0b2c86008fc2 06e7446efaa0c7a1 0835c004c476e206 0890f456684a70f1
09fab976d6ecbf44 0c822b66fc31d4b4 0ef705dd99da0ae4 13aa7413fb0b5635 14ecb265ef569c4e 14f0445a52b03d0a 15309f1edfb21fc6 168ae35c7276ff55
17092ed014e798c9 17a27053847398a3 189676b036685c90 1a9e62a9fdfa04f8 2062547a01d71616 225a6ac58ea76ebc 232bfc8000658f21 233ed0938a120606
236a46b6cb622d2c 25d4d2c621c604ab 269483727160ad7d 272d14df05e3de7b 27dde2e9d53cedf3 27df28946736beec 28477d7a57bc7d98 29d4cee1f40382d4
2a4d5e100e02d21b 2a8d453573a661cf 2b782dcb1df1304f 2c98b8d373f720ff 2eb4a7faa2e84b19 2ec9f178d40576cd 356bc7da9175f5d9 35d32b5114b036a5
36e1132cb4bc58c0 37755e3196a6c02a 3ae36aa4934eac0e 41af3bbe34af5a66 41d6d5edb493c0a2 4304ec22feffe105 44824fc00bb0d4c1 4531c1743d79c7e8
456a531dd26d3938 478ff05c68d29867 47aaf31b83d6bfd7 490b62a6d20c1c6f 49d2dc07acd9eff5 520effc40b149e52 521cbed3ffdd3463 54eeff33ead2134c
56dad7428e118fe4 572cd72feb9a84e0 593f2308e130680e 5a98505ed9138590 5fa59ced93a044a3 6249df4367d0a2e0 62608e2f9de44351 6296c67604fc2244
631ff8768671f3ea 63894627027f2b52 644bb6f24fbd3eb0 659f9fb0cf92d009 65ba5f00364b122d 6789f36000fc80bf 68f4f8ed1c5fda65 69752f2313b2f017
69b062c32e3738bd 69c24c234077ae66 6ac5094682439703 6c38bc309408f756 6d4ec39e48ce3942 6fb695a30766ed98 734479d66c8be7fe 74bd3ea626669bf4
74c52bcdddceca9a 75e2dcb8efe758dd 774b0376cbb9d2a6 77cbf5f8b9bfff20 785ef3d102d28694 79acaf08dd72df51 7aabe6b2caeadf58 7ac25cf73d17ac4c
7d14dcc28d76f550 7d87c26c6273180a 7d90285f167b7d93 7e29ae9ee14daea7 7e2bd3d212aca55e 7e3a2e501e8f328b 7eb7067e213939e0 804a6d62a1518937
83d74be0cb29de77 8426ce8cbf51e612 849cb66ff62e9321 876d1ab66d026c1b 8874853ecd1c1eae 8a94f27df32f65d5 8a9851255d671c4e 8cd649f4206faf13
8cdd5a8226459da7 8d0df3d5cda6e742 8e95368cbc636505 8e9dbf5d0bbdca3a 93ccf4a04222adbd 972084b51b6feebc 973cb06e505b1c6c 97c4c3727d8f67f2
9956f0aba98a623f 99d082db27a24f7f 9b2fd2d22c217cb5 9bf795f121c5b94a 9c98cdba80ab7f71 9ed1273e9b5a5579 a0b43df06f52085e a13bebeb57e1ea69
a14e93e8f764b238 a2406a1bc224c8bc a2a2665fb662fa62 a2edfc28d93caefa a47d4b262d7d775c a4cfcfceb0c916f2 a6f70485e7126142 a73d340be566e4e5
a930042a4879e2f3 aaed89f9c7e8d1ad ab453798443c4e01 abb117cb5afff9c0 abca246d043ae979 ac57b0e667bf3ec1 ae67e88c6e72af2e aed834059fa2b54c
b3725dd94ed1ab21 b4056df6691f8dc7 b49f7dfb1440089d b4b580a9ad8c344f b6f93aff643ddd54 b71a3c0fc7b5757b b828ca48bbbd8a74 b87cb3d5497f2b95
b8fa20ef9ef27f08 ba445cff3898a3f2 bbc8f6fd09a91728 bc2904a407e902fa bcece035218c8b96 be31ff33c4f09954 be4b0c384393cc42 bff140a11b7a028c
c1ccf63da588c059 c2e5554f5ec56e3d c3298bdf3b628d60 c49e96a01c97312a c5729a9330562986 c78386d8e6f87c95 c7bac46904be785c c7d2c38249f25c76
c84bc8d3c049e597 cb7c91b0cd76b96a cce5eda33f91d11c d2131c31e8f19be5 d26741cbc210513c d35bfd4806eda192 d4610cf0cbf76796 d574e4fb1bf74f95
d66ec60b186da22a d775256faba522e7 dc6099eb2d1a722c dca34edb9dd20f4f dd794e8f0dacc410 de94a238a7193289 def4e482aa13b73f df3796890f00fa11
e0b14e618e6ccaed e2653ac61f1643f9 e63b2c1fa3b17906 e85811773ee1cc62 eaa4e0ba3c892b43 ead5573f00611390 eb166b3c5e953227 ec558e5b9efa4875
ecb2214df4501bbd ed983ee8f803475d f0ac283e9d846ead f0e6ee651e153186 f223faa96f229162 f327a33f43fb0c3f f3f169068c7b135e f44e4126c4cdba60
f4a65f82e691e307 f51db4bbf5e0b353 f67de8e12ce366fd f70151c7290acb7b f89f85382f9c9bd3 fa45299ab2304ff1 fb6e98831ffb6177 fd00d23d68ed33cc
fdc310dd3031698e fe217d3b6e729328 feaeb9ba240be4f9`

/** Marks the texts that no operator has changed, so that newer ones can replace them; `seedContent` marks those that are still the same. */
export const contentSeededMigration: Migration = {
  id: 'content-2',
  async up(tx) {
    await sql`alter table content_text add column seeded text`.execute(tx)
    const hash = sql`encode(sha256(convert_to(text, 'UTF8')), 'hex')`
    await sql`update content_text set seeded = ${hash} where left(${hash}, 16) = any(${broughtBefore.trim().split(/\s/)})`.execute(tx)
  },
}
