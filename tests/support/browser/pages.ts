import routes from '#schemas/routes.json'

export interface ProductPage {
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

/** Every page of the routes document. */
export const pages: readonly ProductPage[] = Object.entries(routes.routes).map(([path, route]) => ({
  path: path === '/' ? '' : path + (wants[path] ?? ''),
  screen: route.screen,
  auth: 'auth' in route,
}))
