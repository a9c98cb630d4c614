import { sampleAnswer } from '#contract/samples.ts'
import { accountOf, type DataState } from '#flows/answers.ts'
import type { Visit } from '#flows/visits.rules.ts'
import type { AppDoc, FlowWho, Logic, ScreenDoc } from '#language/documents/documents.ts'
import { compile } from '#language/expression/expression.ts'
import { ExpressionProblem, scopeOf } from '#language/expression/scope.ts'
import type { Catalog } from '#language/types/catalog.ts'
import { noteRowKeys, rowKeysOf } from '#language/types/row-keys.ts'

interface SampleWorld {
  screen: ScreenDoc
  visit: Visit
  who: FlowWho
  state: DataState
  app: AppDoc
  catalog: Catalog
  language: string
}

/** The value of a condition over the samples of a screen; undefined when it depends on a press. */
export function truthOf(logic: Logic, { screen, visit, who, state, app, catalog, language }: SampleWorld): boolean | undefined {
  const account = who === 'visitor' ? undefined : accountOf(who, catalog)
  const data: Record<string, unknown> = {}
  for (const [name, { call }] of Object.entries(screen.data ?? {})) {
    const row = catalog.calls.find((one) => one.name === call)
    if (row && state !== 'error' && state !== 'loading')
      data[name] = call === 'user.info' ? account : sampleAnswer(row, {}, { empty: state === 'empty' })
    if (row) noteRowKeys(data[name], rowKeysOf(row.output))
  }
  const scope = scopeOf({
    params: visit.params,
    state: screen.state ?? {},
    data,
    session: { logged_in: account !== undefined, user: account, language, kyc: Number(account?.level ?? 0), fiat: app.defaultFiat },
    app: app.constants,
    device: Object.fromEntries(Object.entries(app.device).map(([name, { default: value }]) => [name, value])),
  })
  try {
    const { value, missing, stopped } = compile(logic).evaluate(scope)
    return missing.length > 0 || stopped !== undefined ? undefined : Boolean(value)
  } catch (problem) {
    if (problem instanceof ExpressionProblem) return undefined
    throw problem
  }
}
