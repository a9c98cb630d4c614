import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { desktop, useBrowser } from '#tests/support/browser/browser.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()

/** A visit with the developer's flag set in this browser. */
async function inspected(options: { viewport?: { width: number; height: number }; path?: string; screen?: string } = {}) {
  const { path = 'pages/market/market', screen = 'market.market', ...more } = options
  const seen = await visit({ origin: app.origin, keep: { inspect: 1 }, path, screen, ...more })
  const panel = seen.page.getByRole('complementary', { name: 'Inspector' })
  await panel.waitFor()
  return { ...seen, panel }
}

const loaded = (page: Page) =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').flatMap(({ name }) => /\/(?:start|show)-[^/]+\.(?:js|css)$/.exec(name) ?? []),
  )

describe('the inspector', () => {
  test('is not available to customers, whatever the address is', async () => {
    const { page } = await visit({ origin: app.origin })
    await page.goto(`${app.origin}/?inspect#/pages/market/market`)
    await page.waitForSelector('[data-screen="market.market"]')
    await page.keyboard.press('Control+Alt+KeyI')
    await settled(page)
    expect(await page.locator('#tessera-inspector').count()).toBe(0)
    expect(await loaded(page)).toEqual([])
  })

  test('lists the nodes, and picks one on the screen to show it', { tags: 'full' }, async () => {
    const { page, panel } = await inspected({ viewport: desktop })
    await panel.getByRole('button', { name: 'to-search' }).waitFor()
    await panel.getByRole('button', { name: 'Pick on screen' }).click()
    await page.locator('[data-node="list"] [data-key]').first().click()
    // Picking does not press: the row did not navigate.
    expect(page.url()).toContain('pages/market/market')
    const card = panel.getByRole('region', { name: 'list' })
    await card.getByText('quote-list').waitFor()
    expect(await card.textContent()).toContain('rows')
    await page.locator('.i-highlight').waitFor()
    await page.keyboard.press('Control+Alt+KeyI')
    await panel.waitFor({ state: 'detached' })
    expect(await page.locator('html').getAttribute('data-inspector')).toBeNull()
  })

  test('explains why a node is hidden, and records actions and calls without secrets', async () => {
    const { page, panel, allow } = await inspected({ viewport: desktop })
    // The token is invalid, so the server refuses it.
    allow(/status of 401/)
    const hidden = panel.locator('.i-line[data-quiet]').first()
    await hidden.click()
    await panel.getByRole('heading', { name: 'Why it is hidden' }).waitFor()
    expect(await panel.locator('.i-clauses [data-deciding]').count()).toBeGreaterThan(0)
    await page.locator('[data-node="to-search"]').click()
    await page.waitForSelector('[data-screen="market.search"]')
    await panel.getByRole('button', { name: 'Log', exact: true }).click()
    await panel.locator('[data-kind="action"]').filter({ hasText: 'go pages/market/search' }).waitFor()
    await panel.locator('[data-kind="call"][data-outcome="done"]').first().waitFor()
    // The refusal of the token leads to the login in the end, so nothing is pressed on the screens after this.
    await page.evaluate(() => localStorage.setItem('tessera.token', JSON.stringify('0123456789abcdef0123456789abcdef')))
    await page.reload()
    await panel.getByRole('button', { name: 'Values', exact: true }).click()
    await panel.getByRole('button', { name: 'device' }).click()
    expect(await panel.textContent()).not.toContain('0123456789abcdef')
  })

  const looks = [
    ['phone', { width: 390, height: 844 }],
    ['desktop', desktop],
  ] as const
  test.for(looks)('leaves the app usable and has no serious finding, %s', { tags: 'full' }, async ([, viewport]) => {
    const { page, panel } = await inspected({ viewport })
    await panel.getByRole('button', { name: /^list/ }).click()
    for (const view of ['Nodes', 'Values', 'Log', 'Engine']) {
      await panel.getByRole('button', { name: view, exact: true }).click()
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().include('#tessera-inspector').analyze()
      expect(
        violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${view} ${id} ${nodes[0]?.html}`),
      ).toEqual([])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    const box = await panel.boundingBox()
    const search = await page.locator('[data-node="to-search"]').boundingBox()
    expect(search && box && (search.x + search.width <= box.x || search.y + search.height <= box.y)).toBe(true)
    await panel.getByRole('button', { name: 'Fold', exact: true }).click()
    expect((await panel.boundingBox())?.height).toBeLessThan(80)
  })
})
