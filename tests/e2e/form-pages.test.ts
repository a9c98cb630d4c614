import type { Page } from 'playwright'
import { afterEach, describe, expect, test } from 'vitest'
import { findings } from '#tests/support/browser/axe.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { throttlePassed, timePasses } from '#tests/support/browser/waits.ts'
import { document } from '#tests/support/meddle.ts'
import { profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()
afterEach(() => app.restore())

const input = (page: Page, name: string) => page.locator(`[name=${name}]`)
const problem = (page: Page, name: string) => page.locator(`[id$="-${name}-problem"]`)
const send = (page: Page) => page.locator('button[type=submit]').click()

describe('a form in pages, with rows', () => {
  const cell = (name: string, label: string) => ({ name, type: 'decimal', widget: 'decimal-field', label, required: true })
  const most = { '<=': [{ sum: [{ var: 'value' }, 'share'] }, 100] }
  const pages = [
    { id: 'person', title: 'Who you are' },
    { id: 'exits', title: 'Where to leave' },
    { id: 'check', title: 'Check and send', summary: true },
  ]
  const form = {
    ...document('forms/common/forgot'),
    errors: {},
    pages,
    fields: [
      { name: 'who', page: 'person', type: 'string', widget: 'text-field', label: 'Name', required: true },
      {
        name: 'exits',
        page: 'exits',
        type: 'rows',
        widget: 'rows-field',
        label: 'Exits',
        max: 3,
        props: { item: 'Exit', add: 'Add an exit' },
        rules: [{ test: most, message: 'More than all of it' }],
        fields: [cell('price', 'Price'), cell('share', 'Share')],
      },
      { name: 'note', page: 'check', type: 'string', widget: 'text-field', label: 'Note' },
    ],
    submit: { label: 'Send', steps: [{ toast: { $: { cat: ['Sent ', { sum: [{ var: 'form.exits' }, 'share'] }] } } }] },
  }
  const open = async () => {
    await app.force({ 'form/common.forgot': form })
    const path = 'pages/common/forgot'
    const { page } = await visit({ origin: app.origin, path, screen: 'common.forgot', clock: true, storageState: profile(app.origin) })
    const title = (text: string) => page.getByRole('heading', { name: text }).waitFor()
    const next = async () => {
      await throttlePassed(page)
      await send(page)
    }
    const row = (n: number) => page.locator(`li[aria-label="Exit ${n}"]`)
    return { page, title, next, row }
  }

  test('is filled in by keyboard, goes back by the browser without loss, and sends all of it', async () => {
    const { page, title, next, row } = await open()
    await title('Who you are')
    expect(await findings(page)).toEqual([])
    await next()
    await problem(page, 'who').waitFor()
    await input(page, 'who').fill('Ann')
    await page.keyboard.press('Enter')
    await title('Where to leave')
    expect(await page.locator(':focus').evaluate((one) => one.tagName)).toBe('H2')

    await page.getByRole('button', { name: 'Add an exit' }).press('Enter')
    for (const text of ['65000', '60']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.getByRole('button', { name: 'Add an exit' }).press('Enter')
    for (const text of ['68000', '50']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await row(2).getByLabel('Price').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => row(1).getByLabel('Price').inputValue()).toBe('68000')
    expect(await page.locator(':focus').inputValue()).toBe('68000')
    await page.getByText('Moved to position 1').waitFor({ state: 'attached' })
    expect(await findings(page)).toEqual([])
    await next()
    await page.getByText('More than all of it').waitFor()
    await row(1).getByLabel('Share').fill('40')
    await next()

    await title('Check and send')
    await page.getByText('68,000 · 40').waitFor()
    expect(await findings(page)).toEqual([])
    await page.goBack()
    await title('Where to leave')
    expect(await row(2).getByLabel('Price').inputValue()).toBe('65000')
    await page.goBack()
    await title('Who you are')
    expect(await input(page, 'who').inputValue()).toBe('Ann')
    await next()
    await title('Where to leave')
    await next()
    await title('Check and send')
    await next()
    await expectToast(page, 'Sent 100')
  })

  test('is found again after a reload, on its page', { tags: 'full' }, async () => {
    const { page, title, next, row } = await open()
    await input(page, 'who').fill('Ann')
    await next()
    await page.getByRole('button', { name: 'Add an exit' }).click()
    await row(1).getByLabel('Price').fill('1')
    await timePasses(page, 1_000)
    await page.reload()
    await title('Where to leave')
    await expect.poll(() => row(1).getByLabel('Price').inputValue()).toBe('1')
    await page.goBack()
    await title('Who you are')
  })
})
