import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/query-core'
import { createInstance } from 'i18next'
import { act, type ComponentType, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Exchange } from '#bench/documents/exchange.tsx'
import { type App, AppContext, type Args, onTopic, Problem, type Question } from '#bench/documents/hooks.ts'
import { Prompt } from '#bench/documents/kit.tsx'
import { Security } from '#bench/documents/security.tsx'
import { Withdraw } from '#bench/documents/withdraw.tsx'
import { projectRoot } from '#bench/product.ts'
import { readCatalog } from '#config-server/catalog.ts'
import type { CallName } from '#contract/contract.ts'
import { type AnswerRules, answerTo, type MadeCall } from '#flows/answers.ts'
import type { AppDoc, FlowAnswer, FlowDoc, FlowWho, RoutesDoc } from '#language/documents/documents.ts'
import type { TextCatalog } from '#language/types/catalog.ts'
import { createFormats } from '#renderer/core/format.ts'
import { createI18n } from '#renderer/device/i18n.ts'

/** The handwritten screens in an app with sample answers, for tests. */

const readJson = <T,>(file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8')) as T
export const flowOf = (name: string) => readJson<FlowDoc>(`schemas/flows/${name}.json`)
const areas = readdirSync(join(projectRoot, 'locales/en')).map((file) => file.replace('.json', ''))
export const texts: TextCatalog = { en: Object.fromEntries(areas.map((area) => [area, readJson(`locales/en/${area}.json`)])) }
const { languages, constants } = readJson<AppDoc>('schemas/app.json')
const { routes } = readJson<RoutesDoc>('schemas/routes.json')
const catalog = await readCatalog(projectRoot)

const screens: Record<string, ComponentType> = { 'fund.withdraw': Withdraw, 'fund.exchange': Exchange, 'setting.security': Security }
/** Problems for which a second attempt makes sense. */
const passing = new Set(['busy', 'too_many_requests', 'network_failed', 'timed_out'])

interface Place {
  path: string
  params: Record<string, string>
}
export type Stage = ReturnType<typeof openStage>

export function openStage() {
  const host = document.body.appendChild(document.createElement('div'))
  const root: Root = createRoot(host)
  const made: (MadeCall & { key?: string })[] = []
  const toasts: string[] = []
  const given = new Map<string, FlowAnswer>()
  const rules: AnswerRules = { state: 'ok', who: 'visitor', given, dry: true }
  const queries = new QueryClient()
  queries.mount()
  const i18n = createI18n(createInstance(), { languages: () => languages, defaultLanguage: () => 'en', fetchTexts: async () => ({}) })
  for (const [area, words] of Object.entries(texts.en ?? {})) i18n.addArea('en', area, words)
  interface Show {
    place: (place: Place | undefined) => void
    question: (question: Open | undefined) => void
  }
  const show: Show = { place: () => undefined, question: () => undefined }
  type Open = Question & { settle: (agreed: boolean) => void }

  const app: Omit<App, 'params'> = {
    queries,
    async call(name: CallName, args: Args, { key }: { key?: string } = {}) {
      const row = catalog.calls.find((one) => one.name === name)
      if (!row) throw new Error(`there is no call ${name}`)
      const sent = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
      const call = { name, args: Object.fromEntries(sent.map(([member, value]) => [member, String(value)])) }
      made.push({ ...call, ...(key !== undefined && { key }) })
      const found = answerTo({ method: row.method, path: row.path, args: call.args, loggedIn: true }, rules, catalog)
      if (found?.kind === 'hold') return new Promise(() => undefined)
      if (found?.kind !== 'answer') throw new Error(`nothing answers ${name}`)
      const answer = JSON.parse(found.body)
      if (answer.code !== 1) throw new Problem(answer.name, !passing.has(answer.name))
      return answer.data
    },
    say: (key, args) => i18n.say(key, args),
    formats: createFormats('en', () => i18n.say('engine.just_now')),
    account: '1',
    go: (path, params = {}) => show.place({ path, params: { ...params } }),
    toast: (text) => void toasts.push(text),
    ask: (question) => new Promise((settle) => show.question({ ...question, settle })),
    routes: { login: String(constants.loginRoute), verify: String(constants.verifyRoute) },
  }

  function Product() {
    const [place, setPlace] = useState<Place>()
    const [question, setQuestion] = useState<Open>()
    show.place = setPlace
    show.question = setQuestion
    if (!place) return null
    const id = routes[place.path]?.screen ?? 'none'
    const Screen = screens[id] ?? (() => <main data-screen={id} />)
    const answer = (agreed: boolean) => {
      setQuestion(undefined)
      question?.settle(agreed)
    }
    return (
      <AppContext value={{ ...app, params: place.params }}>
        <Screen key={JSON.stringify(place)} />
        {question && <Prompt key={JSON.stringify(question)} question={question} settle={answer} />}
      </AppContext>
    )
  }
  act(() => root.render(<Product />))

  return {
    made,
    toasts,
    given,
    rules,
    queries,
    as: (who: FlowWho) => {
      rules.who = who
    },
    open: (path: string, params: Record<string, string> = {}) => {
      act(() => show.place(undefined))
      act(() => show.place({ path, params }))
    },
    push: (topic: string) => onTopic(queries, topic),
    close: () => {
      act(() => root.unmount())
      queries.clear()
      queries.unmount()
      host.remove()
      sessionStorage.clear()
    },
  }
}
