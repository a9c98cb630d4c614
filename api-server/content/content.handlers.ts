import type { ContentReads } from '#api-server/content/content.reads.ts'
import { articleRow, pageOf, textIn, wholeArticle } from '#api-server/content/content.rules.ts'
import type { commonCalls } from '#contract/calls/common.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { appVersion } from '#contract/version.ts'
import type { Handlers } from '#server-kit/http/http.ts'

/** Facts about this installation that accompany the content. */
export interface About {
  /** Source of the prices. */
  source: string
  /** Least length of a new login password. */
  passwordMin: number
}

/** Types of articles that a list may ask for. */
const articleTypes: readonly string[] = ['news', 'notice', 'guide']
const defaultName = 'Tessera'

export function contentHandlers(reads: ContentReads, about: About): Handlers<typeof commonCalls> {
  const pageText = async (id: string, lang: string) => {
    const page = (await reads.content()).pages.get(id)
    if (!page) throw new ApiProblem('not_found')
    return { title: textIn(page.texts, lang, 'title'), content: textIn(page.texts, lang, 'content'), updated: page.updated }
  }
  return {
    'common.getSetting': async ({ keyword }, { lang }) => {
      const texts = (await reads.content()).settings.get(keyword)
      if (!texts) throw new ApiProblem('not_found', { field: 'keyword' })
      return { keyword, value: textIn(texts, lang, 'value') }
    },
    'common.getSiteConfig': async (_input, { lang }) => {
      const { settings } = await reads.content()
      const setting = (keyword: string) => {
        const texts = settings.get(keyword)
        return texts ? textIn(texts, lang, 'value') : ''
      }
      return {
        name: setting('site_name') || defaultName,
        slogan: setting('slogan'),
        version: appVersion.name,
        version_code: appVersion.code,
        support_email: setting('support_email'),
        support_hours: setting('support_hours'),
        simulated: about.source === 'simulator',
        source: about.source,
        password_min: about.passwordMin,
      }
    },
    'common.getPageSet': async ({ type }, { lang }) => {
      const { banners, notices, articles } = await reads.content()
      const shown = banners.filter((banner) => banner.page === type)
      if (type !== 'home' && !shown.length) throw new ApiProblem('not_found', { field: 'type' })
      const running = type === 'home' ? notices.flatMap((nid) => articles.find((article) => article.nid === nid) ?? []) : []
      return {
        type,
        banners: shown.map(({ id, image, to, nid, texts }) => ({
          id,
          image,
          title: textIn(texts, lang, 'title'),
          text: textIn(texts, lang, 'text'),
          to,
          nid,
        })),
        notices: running.map(({ nid, texts }) => ({ nid, title: textIn(texts, lang, 'title') })),
      }
    },
    'news.indexPop': async (_input, { lang }) => {
      const { articles, pop } = await reads.content()
      const article = articles.find((one) => one.nid === pop)
      return { article: article ? wholeArticle(article, lang) : null }
    },
    'news.getList': async ({ type, page, size }, { lang }) => {
      if (!articleTypes.includes(type)) throw new ApiProblem('parameter_error', { field: 'type' })
      const { articles } = await reads.content()
      const { list, total } = pageOf(
        articles.filter((article) => article.type === type),
        page,
        size,
      )
      return { list: list.map((article) => articleRow(article, lang)), total }
    },
    'news.getNewsDetail': async ({ nid }, { lang }) => {
      const article = (await reads.content()).articles.find((one) => one.nid === nid)
      if (!article) throw new ApiProblem('not_found', { field: 'nid' })
      return wholeArticle(article, lang)
    },
    'news.list': async ({ c_id, page, size }, { lang }) => {
      const { articles } = await reads.content()
      const { list, total } = pageOf(
        articles.filter((article) => article.c_id === c_id),
        page,
        size,
      )
      return { list: list.map((article) => articleRow(article, lang)), total }
    },
    'common.menu': async (_input, { lang }) => {
      const { menu } = await reads.content()
      return { list: menu.map(({ id, name, to, texts }) => ({ id, name, title: textIn(texts, lang, 'title'), to })) }
    },
    'common.faq': async (_input, { lang }) => {
      const { faq } = await reads.content()
      const text = (texts: (typeof faq)[number]['texts'], field: string) => textIn(texts, lang, field)
      return {
        list: faq.map(({ id, texts }) => ({
          id,
          group: text(texts, 'group'),
          question: text(texts, 'question'),
          answer: text(texts, 'answer'),
        })),
      }
    },
    'common.contactus': async (_input, { lang }) => {
      const page = await pageText('contactus', lang)
      const { channels } = await reads.content()
      return {
        ...page,
        channels: channels.map(({ id, texts }) => ({ id, label: textIn(texts, lang, 'label'), value: textIn(texts, lang, 'value') })),
      }
    },
    'common.aboutus': (_input, { lang }) => pageText('aboutus', lang),
    'common.operational_compliance': (_input, { lang }) => pageText('operational_compliance', lang),
  }
}
