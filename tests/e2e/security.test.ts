import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { bendCall } from '#tests/support/meddle.ts'
import { useApp } from '#tests/support/servers/app.ts'
import { ask } from '#tests/support/servers/http.ts'

const app = useApp()
const { visit } = useBrowser()
const hash = 'a'.repeat(64)

describe('answers', () => {
  const paths: [path: string, method?: string][] = [
    ['/'],
    ['/icon.svg'],
    ['/config/manifest'],
    [`/config/documents/${hash}.json`],
    ['/api/market/quotation'],
    ['/api/no/such'],
    ['/api/market/kline', 'POST'],
    ['/openapi.json'],
    ['/health'],
    ['/nothing/here'],
    ['/assets/none.js'],
    ['/..%2f..%2fpackage.json'],
    ['/', 'DELETE'],
  ]
  test.for(paths)('%s carries a strict policy', async ([path, method]) => {
    const { headers } = await ask(app.origin, path, method === undefined ? {} : { method })
    const policy = String(headers['content-security-policy'])
    const rules = new Map(policy.split(';').map((rule) => [rule.trim().split(' ')[0], rule.trim().split(' ').slice(1)]))
    expect(rules.get('default-src')).toEqual(["'none'"])
    expect(rules.get('frame-ancestors')).toEqual(["'none'"])
    expect(rules.get('base-uri')).toEqual(["'none'"])
    expect(rules.get('script-src') ?? []).not.toContain("'unsafe-inline'")
    expect(policy).not.toMatch(/unsafe-eval|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-powered-by']).toBeUndefined()
  })

  test('the page has no inline script and names its files by hash', async () => {
    const { text } = await ask(app.origin, '/')
    const scripts = [...text.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes, body] of scripts) {
      expect(attributes).toMatch(/src="\/assets\/[\w-]+\.js"/)
      expect(body?.trim()).toBe('')
    }
    expect(text).not.toMatch(/\son\w+=|style=|<style|javascript:|https?:/i)
  })

  test('source maps are neither referenced nor served', async () => {
    const { text } = await ask(app.origin, '/')
    const parts = [...text.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(([path]) => path)
    expect(parts.length).toBeGreaterThan(1)
    for (const path of parts) {
      expect((await ask(app.origin, path)).text.slice(-300)).not.toContain('sourceMappingURL')
      expect((await ask(app.origin, `${path}.map`)).status).toBe(404)
    }
  })
})

describe('what people write', () => {
  const hostile = `<p>Safe words</p>
    <script>window.__pwn = 1</script><img src="x" onerror="window.__pwn = 2"><svg onload="window.__pwn = 3"><animate onbegin="window.__pwn = 4"/></svg>
    <a href="javascript:window.__pwn = 5" id="trap">a link</a><a href=" java&#x09;script:window.__pwn=6">another</a>
    <iframe srcdoc="<script>parent.__pwn = 7</script>"></iframe><object data="javascript:1"></object><embed src="x">
    <form action="https://evil.example/"><input name="a"><button>send</button></form><style>body { display: none }</style>
    <div style="position:fixed;inset:0;z-index:9999">cover</div><math><mtext><img src=x onerror=window.__pwn=8></mtext></math>
    <img src="https://evil.example/pixel.gif"><link rel="stylesheet" href="https://evil.example/x.css"><base href="https://evil.example/">
    <meta http-equiv="refresh" content="0;url=https://evil.example/"><noscript><p title="</noscript><img src=x onerror=window.__pwn=9>">`
  const title = '<img src=x onerror=window.__pwn=10>{{constructor}}'

  test('runs nothing, loads nothing and is shown as typed', async () => {
    const { page, go, allow } = await visit({ origin: app.origin })
    // The purifier reads the text in a document of its own, under the same policy, which refuses parts of it before they are taken out.
    allow(/^console: (?:policy: |.* violates the following Content Security Policy)/)
    await bendCall(page, 'news.getNewsDetail', () => ({ title, summary: title, content: hostile }))
    await go('pages/common/article?nid=1', 'common.article')
    await page.getByText('Safe words').waitFor()
    expect(await page.locator('[data-node="title"]').innerText()).toBe(title)
    await page.getByText('a link').click()
    await page.getByText('another').click()
    await settled(page)
    expect(await page.evaluate(() => (window as { __pwn?: number }).__pwn)).toBeUndefined()
    expect(
      await page
        .locator('[data-node="content"]')
        .locator('script, iframe, object, embed, form, input, style, link, base, meta, svg, math, [style], [onerror], [onload]')
        .count(),
    ).toBe(0)
    expect(await page.locator('[data-node="content"] a[href]').count()).toBe(0)
    expect(page.url()).toContain('pages/common/article')
    await stands(page, 'common.article')
  })
})

describe('the first load', () => {
  /** The bar is 200,000 (ADR 049 names a way to more room). */
  const budgetBytes = 200_800
  test('is small and loads the large parts later', async () => {
    const { page } = await visit({ origin: app.origin })
    await page.addInitScript(() => {
      new MutationObserver((_changes, watch) => {
        if (!document.querySelector('[data-screen="home.home"]')) return
        watch.disconnect()
        ;(window as { before?: string[] }).before = performance.getEntriesByType('resource').map((entry) => entry.name)
      }).observe(document, { subtree: true, childList: true })
    })
    await page.goto(app.origin)
    await stands(page, 'home.home')
    const before = await page.evaluate(() => (window as { before?: string[] }).before ?? [])
    const read = async (url: string) => ({ url, body: Buffer.from(await (await fetch(url)).arrayBuffer()) })
    const loaded = await Promise.all(before.filter((url) => /\.js$/.test(url)).map(read))
    // Only the scripts that the page itself names are weighed: on a slow machine others may come before home, on a quick one after it.
    const html = await (await fetch(app.origin)).text()
    const named = new Set(html.match(/\/assets\/[\w-]+\.js/g))
    const sizes = loaded
      .map(({ url, body }) => ({ name: new URL(url).pathname, bytes: gzipSync(body, { level: 9 }).length }))
      .filter(({ name }) => named.has(name))
    expect(sizes.map(({ name }) => name).sort()).toEqual([...named].sort())
    const packed = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(packed, JSON.stringify(sizes)).toBeLessThanOrEqual(budgetBytes)
    expect(packed).toBeGreaterThan(10_000)
    const heavy: [name: string, sign: RegExp][] = [
      ['lightweight-charts', /lightweight-charts|CandlestickSeries|tradingview\.com/],
      ['zod', /ZodError|invalid_union|_zod\b/],
      ['dompurify', /DOMPurify|ALLOWED_URI_REGEXP/],
    ]
    for (const [name, sign] of heavy) {
      expect(
        loaded.filter(({ body }) => sign.test(body.toString())).map(({ url }) => url),
        name,
      ).toEqual([])
    }
  })
})
