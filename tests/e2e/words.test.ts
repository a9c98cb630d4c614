import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { phone, stands, useBrowser } from '#tests/support/browser/browser.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { useApp } from '#tests/support/servers/app.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

const read = <T>(path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8')) as T
const { languages } = read<{ languages: { id: string; label: string; tag: string }[] }>('schemas/app.json')
const theme = read<{ dark: Record<string, string>; light: Record<string, string> }>('schemas/theme.json')
const app = useApp()
const { visit } = useBrowser()

const textsOf = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue?.trim()
      if (text) texts.push(text)
    }
    for (const name of ['aria-label', 'placeholder', 'alt', 'title']) {
      for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name)?.trim() ?? '')
    }
    return texts.filter(Boolean)
  })
const rawKey = /^[a-z]+(?:\.[a-z0-9_]+)+$/
const screens = {
  '': 'home.home',
  'pages/market/market': 'market.market',
  'pages/market/search': 'market.search',
  'pages/transaction/index': 'transaction.index',
  'pages/common/faq': 'common.faq',
  'pages/common/contactus': 'common.contactus',
  'pages/common/aboutus': 'common.aboutus',
  'pages/common/article?nid=1': 'common.article',
  'pages/setting/setting': 'setting.setting',
  'pages/setting/operational_compliance': 'setting.operational_compliance',
}
/** Words of the interface that read the same in several languages, and what is no word at all. */
const alike = (texts: string[], words: Record<string, unknown>, english: Record<string, unknown>) => {
  const differ = new Set(
    Object.entries(english)
      .filter(([key, text]) => words[key] !== text)
      .map(([, text]) => String(text)),
  )
  const same = new Set(Object.values(words).map(String))
  return texts.filter((text) => differ.has(text) && !same.has(text))
}

describe('languages', () => {
  test('each is chosen, complete and stays', { tags: 'full' }, async () => {
    const { page, go } = await visit({ origin: app.origin })
    for (const { id, label, tag } of languages.toReversed()) {
      await go('pages/setting/setting', 'setting.setting')
      await page.locator('[data-node="language"]').click()
      await page.locator('[data-node="language-choice"]').getByText(label, { exact: true }).click()
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(tag)
      await expect.poll(() => page.locator('h1').first().innerText()).toBe(read<{ title: string }>(`locales/${id}/setting.json`).title)
      await page.reload()
      await stands(page, 'setting.setting')
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(tag)
      for (const [path, screen] of Object.entries(screens)) {
        await go(path, screen)
        const place = `${id} ${screen}`
        await expect.poll(async () => (await textsOf(page)).length, { message: place }).toBeGreaterThan(5)
        await settled(page)
        const texts = await textsOf(page)
        expect(
          texts.filter((text) => rawKey.test(text)),
          place,
        ).toEqual([])
        expect(
          texts.filter((text) => /\{\{|\}\}|undefined|\[object|NaN/.test(text)),
          place,
        ).toEqual([])
        for (const area of id === 'en' ? [] : ['home', 'market', 'trade', 'setting', 'common', 'widget', 'engine', 'app']) {
          expect(alike(texts, read(`locales/${id}/${area}.json`), read(`locales/en/${area}.json`)), `${place} ${area}`).toEqual([])
        }
      }
    }
  })

  test('the first visit speaks the language of the browser', async () => {
    const rows: [locale: string, tag: string][] = [
      ['ja-JP', 'ja'],
      ['zh-TW', 'zh-Hant-HK'],
      ['zh-CN', 'zh-Hans'],
      ['pt-BR', 'en'],
    ]
    for (const [locale, tag] of rows) {
      const { page } = await visit({ origin: app.origin, locale, screen: 'home.home' })
      expect(await page.evaluate(() => document.documentElement.lang), locale).toBe(tag)
    }
  })
})

describe('looks', () => {
  const variable = (page: Page, name: string) =>
    page.evaluate((one) => getComputedStyle(document.documentElement).getPropertyValue(one).trim().toLowerCase(), name)
  const settings = (options: { colorScheme?: 'dark' | 'light' } = {}) =>
    visit({ origin: app.origin, path: 'pages/setting/setting', screen: 'setting.setting', ...options })

  test('dark, light and system', async () => {
    const { page } = await settings({ colorScheme: 'light' })
    const choose = (name: string) => page.locator('[data-node="theme"]').getByText(name, { exact: true }).click()
    const is = async (mode: 'dark' | 'light') => {
      for (const name of ['ground', 'text', 'accent', 'up']) {
        await expect.poll(() => variable(page, `--${name}`), { message: name }).toBe(theme[mode][name]?.toLowerCase())
      }
    }
    await is('dark')
    await choose('Light')
    await is('light')
    await choose('Dark')
    await is('dark')
    await choose('System')
    await is('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await is('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.reload()
    await stands(page, 'setting.setting')
    await is('light')
  })

  test('rising and falling change colours', async () => {
    const { page, go } = await settings()
    const { up, down } = theme.dark
    const toggle = page.getByRole('switch')
    expect(await toggle.getAttribute('aria-checked')).toBe('false')
    await toggle.click()
    await expect.poll(() => variable(page, '--up')).toBe(down?.toLowerCase())
    expect(await variable(page, '--down')).toBe(up?.toLowerCase())
    await page.reload()
    await stands(page, 'setting.setting')
    await expect.poll(() => variable(page, '--up')).toBe(down?.toLowerCase())
    await go('pages/market/market', 'market.market')
    // Of a single market the price can be that of a day ago.
    await expect.poll(() => page.locator('[data-node="list"]').innerText()).toMatch(/[+-]\d/)
  })

  test('another currency is another worth', { tags: 'full' }, async () => {
    const { page, go } = await settings()
    await go('pages/transaction/index', 'transaction.index')
    const worth = page.locator('[data-node="quote"]').getByText(/≈/)
    expect(await worth.innerText()).toMatch(/≈ \$/)
    const rows: [code: string, sign: RegExp][] = [
      ['JPY', /≈ ¥[\d,]+$/],
      ['EUR', /≈ €[\d,]+\.\d\d$/],
      ['THB', /≈ (?:฿|THB)\s?[\d,]+\.\d\d$/],
    ]
    for (const [code, sign] of rows) {
      await go('pages/setting/setting', 'setting.setting')
      await page.locator('[data-node="fiat"]').click()
      await page.locator('[data-node="fiat-row"]').filter({ hasText: code }).first().click()
      await expect.poll(() => page.locator('[data-node="fiat"]').innerText()).toContain(code)
      await go('pages/transaction/index', 'transaction.index')
      await expect.poll(() => worth.innerText()).toMatch(sign)
    }
  })

  const sizes: [language: string, width: number][] = [['en', phone.width]]
  test.for(sizes)('text of 200 %% loses nothing: %s', { tags: 'full' }, async ([language, width]) => {
    const { page, go } = await visit({ origin: app.origin, viewport: { width, height: 740 }, keep: { language, recent: ['BTCUSDT'] } })
    await page.addInitScript(() => {
      if (document.documentElement) document.documentElement.style.fontSize = '32px'
      else document.addEventListener('readystatechange', () => void (document.documentElement.style.fontSize = '32px'), { once: true })
    })
    const found: Record<string, string> = {}
    for (const [path, screen] of Object.entries(screens)) {
      await go(path, screen)
      await page.evaluate(() => void (document.documentElement.style.fontSize = '32px'))
      await settled(page)
      found[screen] = await page.evaluate(() => {
        const wide = document.documentElement.scrollWidth > innerWidth ? `page ${document.documentElement.scrollWidth} px; ` : ''
        const cut = [...document.querySelectorAll<HTMLElement>('h1, h2, h3, button, a, label, p')].filter((element) => {
          const box = element.getBoundingClientRect()
          if (
            box.width < 2 ||
            box.height < 2 ||
            !element.innerText.trim() ||
            element.closest('[aria-hidden="true"], .visually-hidden, .skip')
          )
            return false
          const style = getComputedStyle(element)
          if (style.visibility === 'hidden' || style.opacity === '0') return false
          return (
            style.overflow === 'hidden' &&
            (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2)
          )
        })
        return wide + cut.map((element) => `${element.tagName} “${element.innerText.slice(0, 30)}”`).join('; ')
      })
    }
    expect(found).toEqual(Object.fromEntries(Object.values(screens).map((screen) => [screen, ''])))
  })
})
