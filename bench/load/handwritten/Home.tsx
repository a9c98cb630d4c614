import { type CSSProperties, useMemo } from 'react'
import { useCall } from '#bench/load/handwritten/calls.ts'
import { Frame, IconButton, Section, Segmented } from '#bench/load/handwritten/Frame.tsx'
import { Cards, Rows } from '#bench/load/handwritten/Quotes.tsx'
import { useWanted } from '#bench/load/handwritten/quotes.ts'
import { Simulated } from '#bench/load/handwritten/Simulated.tsx'
import type { Listing } from '#contract/calls/market.calls.ts'
import card from '#widgets/card/Card.module.css'
import carousel from '#widgets/carousel/Carousel.module.css'
import image from '#widgets/image/Image.module.css'
import list from '#widgets/list/List.module.css'
import notice from '#widgets/notice-bar/NoticeBar.module.css'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import entries from '#widgets/quick-entries/QuickEntries.module.css'
import row from '#widgets/row/Row.module.css'
import text from '#widgets/text/Text.module.css'

interface PageSet {
  banners: { id: number; title: string; text: string; image: string }[]
  notices: { nid: number; title: string }[]
}
interface News {
  list: { nid: number; title: string; summary: string; cover: string; time: number }[]
}
const dayMs = 86_400_000
const shortcuts = [
  ['trending-up', 'Markets', '#/pages/market/market'],
  ['chart-candlestick', 'Trade', '#/pages/transaction/index'],
  ['search', 'Search', '#/pages/market/search'],
  ['coins', 'Gold', '#/pages/transaction/index?symbol=XAUUSDT'],
  ['play', 'Get started', '#/pages/common/article?nid=1'],
  ['triangle-alert', 'Risks', '#/pages/common/article?nid=7'],
  ['messages-square', 'FAQ', '#/pages/common/faq'],
  ['headset', 'Contact', '#/pages/common/contactus'],
  ['info', 'About', '#/pages/common/aboutus'],
  ['settings', 'Settings', '#/pages/setting/setting'],
] as const

function Banners({ banners }: { banners: PageSet['banners'] }) {
  return (
    <section className={carousel.carousel} aria-label="Highlights">
      <div className={carousel.viewport}>
        <div className={carousel.track}>
          {banners.map((banner) => (
            <div key={banner.id} className={carousel.slide}>
              <button type="button" className={`pressable ${card.card} ${card.raised}`}>
                <span className={card.title}>{banner.title}</span>
                <img
                  className={image.image}
                  alt=""
                  loading="lazy"
                  decoding="async"
                  src={banner.image}
                  style={{ '--ratio': '3 / 1' } as CSSProperties}
                />
                <p className={`${text.text} ${text.sm} ${text.clamp}`} style={{ '--lines': 2 } as CSSProperties}>
                  {banner.text}
                </p>
              </button>
            </div>
          ))}
        </div>
      </div>
      <div className={carousel.controls}>
        <span className={carousel.dots} aria-hidden="true">
          {banners.map((banner, i) => (
            <i key={banner.id} data-on={i === 0 || undefined} />
          ))}
        </span>
        <IconButton small icon="pause" label="Pause" />
        <IconButton small icon="chevron-left" label="Previous" />
        <IconButton small icon="chevron-right" label="Next" />
      </div>
    </section>
  )
}

function Shortcuts() {
  return (
    <nav className={entries.entries} aria-label="Shortcuts">
      <ul className={entries.grid} style={{ '--columns': 5 } as CSSProperties}>
        {shortcuts.map(([icon, label, to]) => (
          <li key={to}>
            <a className={`pressable ${entries.entry}`} href={to}>
              <span className={entries.face}>
                <Icon name={icon} size={22} />
              </span>
              <span className={entries.label}>{label}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Articles({ news }: { news: News['list'] }) {
  return (
    <div className={list.list}>
      <ul aria-label="Read">
        {news.map((article) => (
          <li key={article.nid} className={list.row}>
            <button type="button" className={`pressable ${row.row}`}>
              <img className={row.image} alt="" loading="lazy" src={article.cover} />
              <span className={row.words}>
                <span className={row.title}>{article.title}</span>
                <span className={row.note}>
                  {Math.floor((Date.now() - article.time) / dayMs)} days ago · {article.summary}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className={list.end}>
        <span>You have read it all</span>
      </div>
    </div>
  )
}

export function Home() {
  const page = useCall<PageSet>('POST', '/common/getPageSet', { type: 'home' })
  const hot = useCall<{ list: Listing[] }>('GET', '/market/getHomeQuotaList')?.list
  const news = useCall<News>('POST', '/news/getList', { type: 'news', page: '1', size: '10' })?.list
  const site = useCall<{ simulated: boolean }>('GET', '/common/getSiteConfig')
  useCall('GET', '/news/index_pop')
  useWanted(useMemo(() => hot?.map(({ symbol }) => symbol) ?? [], [hot]))
  const right = (
    <>
      <IconButton icon="search" label="Search markets" />
      <IconButton icon="settings" label="Settings" />
    </>
  )
  return (
    <Frame screen="home.home" title="Tessera" right={right}>
      {page && <Banners banners={page.banners} />}
      {page?.notices[0] && (
        <section className={notice.bar} aria-label="Notices">
          <button type="button" className={`pressable ${notice.line}`}>
            <Icon name="megaphone" size={18} className={notice.icon} />
            <span className={notice.text}>{page.notices[0].title}</span>
          </button>
          <IconButton small icon="pause" label="Pause" />
        </section>
      )}
      <Shortcuts />
      <Section title="Trending" more="All markets">
        {hot && <Cards rows={hot.slice(0, 3)} label="Trending" />}
        {site?.simulated && <Simulated />}
      </Section>
      <Section title="Markets at a glance">
        <Segmented line name="Market type" options={['Trending', 'Crypto', 'Stocks', 'Metals', 'Indices']} />
        {hot && <Rows rows={hot} label="Trending" />}
      </Section>
      <Section title="News and guides">
        <Segmented name="Article type" options={['News', 'Guides', 'Notices']} />
        {news && <Articles news={news} />}
      </Section>
    </Frame>
  )
}
