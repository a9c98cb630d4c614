import { sql } from 'kysely'
import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { id, integerText, listOf, timeMs } from '#contract/fields.ts'
import { ApiProblem } from '#contract/problem.ts'
import books from '#examples/lending-library/books.json'
import { libraryDue } from '#examples/lending-library/functions.ts'
import { defineApi } from '#examples/serve.ts'
import { writeAny } from '#server-kit/db/db.ts'

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

/** Three calls over one table: a book that is lent has a row. */
export const api = defineApi({
  calls: calls({
    'library.list': {
      ...{ method: 'GET', path: '/library/list', auth: 'none', reads: true, problems: [] },
      ...{ input: z.object({}), output: listOf(book, 'id'), summary: 'Every book, by its title' },
    },
    'library.lend': {
      ...{ ...change, path: '/library/lend', summary: 'Lends a book; again to the same borrower changes nothing' },
      input: z.object({ id, name, weeks: integerText(1, 4) }),
    },
    'library.giveBack': { ...change, path: '/library/giveBack', summary: 'Takes a book back', input: z.object({ id, name }) },
  }),
  migrations: [
    {
      id: 'library-1',
      async up(tx) {
        await sql`create table library_loan (book int primary key, borrower text not null, due bigint not null)`.execute(tx)
      },
    },
  ],
  handlers({ db }) {
    const known = (wanted: number) => {
      if (!books.some((one) => one.id === wanted)) throw new ApiProblem('not_found', { field: 'id' })
    }
    const list = async () => {
      const loans = new Map((await db.selectFrom('library_loan').selectAll().execute()).map((loan) => [loan.book, loan]))
      return books.map((one) => ({ ...one, borrower: loans.get(one.id)?.borrower ?? '', due: loans.get(one.id)?.due ?? 0 }))
    }
    /** The book as it is now. @throws ApiProblem when somebody else has it, or nobody where somebody should */
    const now = async (wanted: number, borrower: string) => {
      const found = (await list()).find((one) => one.id === wanted)!
      if (found.borrower !== borrower) throw new ApiProblem('state_wrong')
      return found
    }
    return {
      'library.list': async () => ({ list: await list(), total: books.length }),
      async 'library.lend'(wish) {
        known(wish.id)
        const due = libraryDue.run({ since: Date.now(), weeks: wish.weeks })
        const loan = { book: wish.id, borrower: wish.name, due }
        // Of two who ask at once the primary key lets one in.
        await writeAny(
          db
            .insertInto('library_loan')
            .values(loan)
            .onConflict((conflict) => conflict.doNothing()),
        )
        return now(wish.id, wish.name)
      },
      async 'library.giveBack'(wish) {
        known(wish.id)
        await writeAny(db.deleteFrom('library_loan').where('book', '=', wish.id).where('borrower', '=', wish.name))
        return now(wish.id, '')
      },
    }
  },
})
