import { AxeBuilder } from '@axe-core/playwright'
import type { FrameLocator, Page } from 'playwright'

/**
 * Whether a target is too small in the middle of the window too. A sticky bar may cover a target that can be scrolled from under it.
 * @param path selectors of the frames around it, and its own
 */
async function isSmall(page: Page, path: readonly string[]): Promise<boolean> {
  const frames = path.slice(0, -1)
  const place = frames.reduce<Page | FrameLocator>((around, frame) => around.frameLocator(frame), page)
  await place
    .locator(path.at(-1) ?? '')
    .first()
    .evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(frames.length === 0)
    .include([...path])
    .withRules('target-size')
    .analyze()
  return violations.length > 0
}

/** Serious and critical findings, each with its first places. @param except a selector of parts that another test checks */
export async function findings(page: Page, except?: string): Promise<string[]> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined))).then(() => undefined))
  // Runs in the open window: opening another one would take longer than the analysis.
  const look = new AxeBuilder({ page })
  if (except !== undefined) look.exclude(except)
  const { violations } = await look
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const found: string[] = []
  for (const { id, nodes, impact } of violations) {
    if (impact !== 'serious' && impact !== 'critical') continue
    const wrong: typeof nodes = []
    for (const node of nodes) if (id !== 'target-size' || (await isSmall(page, node.target.map(String)))) wrong.push(node)
    const places = wrong.slice(0, 3).map((node) => `${node.target.join(' ')} (${node.any[0]?.message ?? node.all[0]?.message ?? ''})`)
    if (wrong.length) found.push(`${id}: ${places.join(' | ')} of ${wrong.length}`)
  }
  return found
}
