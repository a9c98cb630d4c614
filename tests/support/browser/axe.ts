import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

/** Serious and critical findings, each with the first places. @param except a selector of what is looked at elsewhere */
export async function findings(page: Page, except?: string): Promise<string[]> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined))).then(() => undefined))
  // In one window: opening another to sum up takes longer than looking.
  const look = new AxeBuilder({ page })
  if (except !== undefined) look.exclude(except)
  const { violations } = await look
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => `${node.target.join(' ')} (${node.any[0]?.message ?? node.all[0]?.message ?? ''})`)
          .join(' | ')} of ${nodes.length}`,
    )
}
