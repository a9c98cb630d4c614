import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

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
