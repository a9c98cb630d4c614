import routes from '#schemas/routes.json'

interface ProductPage {
  /** With the parameters that the page needs. */
  path: string
  screen: string
  /** Only for customers. */
  auth: boolean
}

const wants: Record<string, string> = {
  'pages/common/article': '?nid=1',
  'pages/common/webView': '?url=x',
  'pages/fund/receive': '?currency_id=3',
  'pages/fund/withdraw': '?currency_id=3',
  'pages/fund/assets_record': '?currency_id=3',
}

/** Pages of a trader or a position, which a test must make first. */
const madeFirst = new Set(['pages/follow/trader', 'pages/follow/follow', 'pages/transaction/position'])

/** Every page of the routes document that shows something without more. */
export const pages: readonly ProductPage[] = Object.entries(routes.routes)
  .filter(([path]) => !madeFirst.has(path))
  .map(([path, route]) => ({
    path: path === '/' ? '' : path + (wants[path] ?? ''),
    screen: route.screen,
    auth: 'auth' in route,
  }))
