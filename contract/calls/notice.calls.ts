import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { noticeFigures, noticeGroups, noticeKindNames, noticeThings, noticeTones } from '#contract/calls/notice.kinds.ts'
import { id, listOf, page, size, timeMs } from '#contract/fields.ts'

/** Unread notices are counted up to this number. */
export const unreadMost = 100

const noticeRow = z.object({
  id: z.int().positive(),
  kind: z.enum(noticeKindNames as [string, ...string[]]),
  sentence: z.string().max(40).describe('which sentence says it'),
  group: z.enum(noticeGroups),
  about: z.enum(noticeThings),
  tone: z.enum(noticeTones),
  figures: z.object(noticeFigures),
  link: z.string().describe('address in the app of the thing that it is about'),
  toast: z.boolean().describe('false: the customer has pressed it, and needs no toast'),
  time: timeMs,
  seen: timeMs.nullable(),
  rev: z.int().positive().describe('grows when it is seen'),
})
export type NoticeRow = z.infer<typeof noticeRow>
const unread = z.object({ unread: z.int().min(0).max(unreadMost).describe(`${unreadMost}: so many or more`) })

export const noticeCalls = calls({
  'notice.list': {
    method: 'GET',
    path: '/notice/list',
    auth: 'user',
    reads: true,
    input: z.object({ group: z.enum(noticeGroups).optional().describe('left out: all'), page, size }),
    output: listOf(noticeRow, 'id'),
    problems: [],
    summary: 'Notices of the last 180 days, newest first',
  },
  'notice.unread': {
    method: 'GET',
    path: '/notice/unread',
    auth: 'user',
    reads: true,
    input: z.object({}),
    output: unread,
    problems: [],
    summary: 'How many notices were not seen',
  },
  'notice.seen': {
    method: 'POST',
    path: '/notice/seen',
    auth: 'user',
    keyed: 'data',
    whileFrozen: true,
    input: z.object({ id }),
    output: unread,
    problems: ['not_found'],
    summary: 'Marks a notice as seen',
  },
  'notice.seenAll': {
    method: 'POST',
    path: '/notice/seenAll',
    auth: 'user',
    keyed: 'data',
    whileFrozen: true,
    input: z.object({ until: id.optional().describe('the newest one that the customer sees; left out: all') }),
    output: unread,
    problems: [],
    summary: 'Marks all notices as seen',
  },
})
