import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { integerText, listOf, page, size, timeMs } from '#contract/fields.ts'

const articleRow = z.object({
  nid: z.int().positive(),
  c_id: z.int().positive(),
  title: z.string(),
  summary: z.string(),
  cover: z.string().describe('path of a picture on this origin, or empty'),
  time: timeMs,
})
const article = articleRow.extend({ content: z.string().describe('HTML, cleaned again where it is shown') })
const page_ = z.object({ title: z.string(), content: z.string(), updated: timeMs })

export const commonCalls = calls({
  'common.getSetting': {
    method: 'POST',
    path: '/common/getSetting',
    auth: 'none',
    reads: true,
    input: z.object({ keyword: z.string().min(1).max(60) }),
    output: z.object({ keyword: z.string(), value: z.string() }),
    problems: ['not_found'],
    summary: 'One public setting by name, in the language of the request',
  },
  'common.getSiteConfig': {
    method: 'GET',
    path: '/common/getSiteConfig',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: z.object({
      name: z.string(),
      slogan: z.string(),
      version: z.string(),
      version_code: z.int(),
      support_email: z.string(),
      support_hours: z.string(),
      simulated: z.boolean().describe('true while prices come from the simulator'),
      source: z.string().describe('where prices come from: simulator, binance, manual'),
      password_min: z.int().positive().describe('least length of a new login password, in characters'),
    }),
    problems: [],
    summary: 'Name, version and installation of the app',
  },
  'common.getPageSet': {
    method: 'POST',
    path: '/common/getPageSet',
    auth: 'none',
    reads: true,
    input: z.object({ type: z.string().min(1).max(40) }),
    output: z.object({
      type: z.string(),
      banners: z
        .array(
          z.object({
            id: z.int(),
            image: z.string(),
            title: z.string(),
            text: z.string(),
            to: z.string().describe('a route, or empty'),
            nid: z.int().nullable(),
          }),
        )
        .meta({ key: 'id' }),
      notices: z.array(z.object({ nid: z.int(), title: z.string() })).meta({ key: 'nid' }),
    }),
    problems: ['not_found'],
    summary: 'Banners and notices of a page (home)',
  },
  'news.indexPop': {
    method: 'GET',
    path: '/news/index_pop',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: z.object({ article: article.nullable() }),
    problems: [],
    summary: 'The announcement over the home screen, if there is one',
  },
  'news.getList': {
    method: 'POST',
    path: '/news/getList',
    auth: 'none',
    reads: true,
    input: z.object({ type: z.string().min(1).max(40).describe('news, notice, guide'), page, size }),
    output: listOf(articleRow, 'nid'),
    problems: [],
    summary: 'Articles of a type, newest first',
  },
  'news.getNewsDetail': {
    method: 'POST',
    path: '/news/getNewsDetail',
    auth: 'none',
    reads: true,
    input: z.object({ nid: integerText(1, 2_000_000_000) }),
    output: article,
    problems: ['not_found'],
    summary: 'One article with its text',
  },
  'news.list': {
    method: 'POST',
    path: '/news/list',
    auth: 'none',
    reads: true,
    input: z.object({ c_id: integerText(1, 2_000_000_000), page, size }),
    output: listOf(articleRow, 'nid'),
    problems: [],
    summary: 'Articles of a category, newest first',
  },
  'common.menu': {
    method: 'GET',
    path: '/menu',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: z.object({ list: z.array(z.object({ id: z.int(), name: z.string(), title: z.string(), to: z.string() })).meta({ key: 'id' }) }),
    problems: [],
    summary: 'Links to the content pages',
  },
  'common.faq': {
    method: 'POST',
    path: '/faq',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: z.object({
      list: z.array(z.object({ id: z.int(), group: z.string(), question: z.string(), answer: z.string() })).meta({ key: 'id' }),
    }),
    problems: [],
    summary: 'Questions and answers',
  },
  'common.contactus': {
    method: 'POST',
    path: '/contactus',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: page_.extend({ channels: z.array(z.object({ id: z.string(), label: z.string(), value: z.string() })).meta({ key: 'id' }) }),
    problems: [],
    summary: 'How to reach the platform',
  },
  'common.aboutus': {
    method: 'POST',
    path: '/aboutus',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: page_,
    problems: [],
    summary: 'About the platform',
  },
  'common.operational_compliance': {
    method: 'POST',
    path: '/operational_compliance',
    auth: 'none',
    reads: true,
    input: z.object({}),
    output: page_,
    problems: [],
    summary: 'Rules of the platform',
  },
})

/**
 * Purposes of a picture. `avatar` is public to everybody who knows its address, the others are for their owner; `draft` until another call
 * claims it.
 */
export const picturePurposes = ['draft', 'avatar', 'identity', 'proof'] as const

export const uploadCalls = calls({
  'common.upload': {
    method: 'POST',
    path: '/common/upload',
    auth: 'user',
    upload: true,
    input: z.object({ purpose: z.enum(picturePurposes).default('draft') }),
    output: z.object({
      url: z.string().describe('path of the picture on this origin'),
      purpose: z.enum(picturePurposes),
      type: z.string().describe('image/jpeg, image/png or image/webp'),
      width: z.int().positive(),
      height: z.int().positive(),
      size: z.int().positive().describe('bytes'),
    }),
    problems: ['file_type_refused', 'file_too_large', 'picture_too_large', 'file_refused', 'upload_quota'],
    summary: 'Uploads one picture (JPEG, PNG or WebP, at most 5 MB and 25 megapixels); it is re-encoded without metadata',
  },
})
