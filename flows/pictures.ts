import type { Browser } from 'playwright'
import { type DocumentSet, openSet } from '#flows/set.ts'
import { openStage } from '#flows/stage.ts'
import { visitsOf } from '#flows/visits.rules.ts'

interface PictureOptions {
  set: DocumentSet
  /** Address of a served app. */
  origin: string
  browser: Browser
  /** Ids of screens; unknown ones are ignored. */
  screens: readonly string[]
  language?: string
  theme?: 'dark' | 'light'
}

/** Full-length screenshots (PNG) of screens with samples: pages for customers with a customer, others with a visitor. */
export async function picturesOf({
  set,
  origin,
  browser,
  screens,
  language,
  theme,
}: PictureOptions): Promise<{ screen: string; picture: Buffer }[]> {
  const pages = openSet(set)
  const open = visitsOf(pages, screens, 'visitor').filter(({ state }) => state === undefined)
  const closed = visitsOf(pages, screens, 'customer').filter(
    ({ state, screen }) => state === undefined && open.every((one) => one.screen !== screen),
  )
  const stage = await openStage({ browser, origin, pages, catalog: set.catalog, dry: true })
  const made: { screen: string; picture: Buffer }[] = []
  try {
    for (const [visits, who] of [
      [open, 'visitor'],
      [closed, { customer: { kyc: 2 } }],
    ] as const) {
      for (const { screen, path, params } of visits) {
        await stage.enter(path, { who, params, ...(language !== undefined && { language }), ...(theme && { theme }) })
        await stage.page.waitForSelector(`[data-screen="${screen}"]`, { state: 'attached' })
        await stage.settled()
        made.push({ screen, picture: await stage.page.screenshot({ fullPage: true }) })
      }
    }
  } finally {
    await stage.close()
  }
  return made
}
