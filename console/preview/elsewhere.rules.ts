import type { ScreenRoute } from '#console/preview/sets.ts'

/** Who looks at the app in the preview. */
export interface Person {
  customer: boolean
  kyc: number
}

/** Whether the app leads somebody elsewhere when this page is opened: to the login, or to where a higher verification is asked for. */
export function isClosedFor(route: Pick<ScreenRoute, 'auth' | 'kyc'>, { customer, kyc }: Person): boolean {
  return (route.auth && !customer) || (route.kyc > 0 && kyc < route.kyc)
}

/** The page that was asked for, where the preview shows another one because of who looks; undefined where all is as asked. */
export function ledElsewhere<R extends Pick<ScreenRoute, 'auth' | 'kyc' | 'screen'>>(
  asked: R | undefined,
  screen: string | null,
  person: Person,
): R | undefined {
  return asked && screen !== null && screen !== asked.screen && isClosedFor(asked, person) ? asked : undefined
}
