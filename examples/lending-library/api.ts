import { sql } from 'kysely'
import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { id, integerText, listOf, timeMs } from '#contract/fields.ts'
import { ApiProblem } from '#contract/problem.ts'
import books from '#examples/lending-library/books.json'
import { libraryDue } from '#examples/lending-library/functions.ts'
import { defineApi } from '#examples/serve.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    library_loan: { book: number; borrower: string; due: number }
  }
}

const name = z.string().trim().min(2).max(40).describe('who borrows; there are no accounts, neighbours trust each other')
const book = z.object({
  id: z.int().positive(),
  title: z.string().meta({ examples: ['Emma', 'Candide'] }),
  author: z.string().meta({ examples: ['Jane Austen', 'Voltaire'] }),
  hue: z.int(),
  borrower: z.string().describe('empty while it stands on the shelf'),
  due: timeMs.describe('0 while it stands on the shelf'),
})
const change = { method: 'POST', auth: 'none', output: book, problems: ['not_found', 'state_wrong'] } as const
const read = { method: 'GET', auth: 'none', reads: true, problems: [] } as const
const loans = sql`create table library_loan (book int primary key, borrower text not null, due bigint not null)`

/** Three calls over one table: a book that is lent has a row. */
export const api = defineApi({
  calls: calls({
    'library.list': { ...read, path: '/library/list', summary: 'Every book', input: z.object({}), output: listOf(book, 'id') },
    'library.lend': { ...change, path: '/library/lend', summary: 'Lends a book', input: z.object({ id, name, weeks: integerText(1, 4) }) },
    'library.giveBack': { ...change, path: '/library/giveBack', summary: 'Takes a book back', input: z.object({ id, name }) },
  }),
  migrations: [{ id: 'library-1', up: (tx) => loans.execute(tx) }],
  handlers({ db }) {
    const list = async () => {
      const lent = new Map((await db.selectFrom('library_loan').selectAll().execute()).map((loan) => [loan.book, loan]))
      return books.map((one) => ({ ...one, borrower: lent.get(one.id)?.borrower ?? '', due: lent.get(one.id)?.due ?? 0 }))
    }
    /** The book as it is now. @throws ApiProblem when there is no such book, or when it is with somebody else */
    const bookWith = async (borrower: string, wanted: number) => {
      const found = (await list()).find((one) => one.id === wanted)
      if (found?.borrower === borrower) return found
      throw new ApiProblem(found ? 'state_wrong' : 'not_found', { field: 'id' })
    }
    return {
      'library.list': async () => ({ list: await list(), total: books.length }),
      async 'library.lend'({ id, name, weeks }) {
        const due = libraryDue.run({ since: Date.now(), weeks })
        // Of two who ask at once the primary key lets one in.
        if (books.some((one) => one.id === id))
          await sql`insert into library_loan values (${id}, ${name}, ${due}) on conflict do nothing`.execute(db)
        return bookWith(name, id)
      },
      async 'library.giveBack'({ id, name }) {
        await sql`delete from library_loan where book = ${id} and borrower = ${name}`.execute(db)
        return bookWith('', id)
      },
    }
  },
})
