import { RotateCw } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import styles from '#console/back-office/BackOfficePage.module.css'
import { readFromBackOffice, type ToBackOffice } from '#console/back-office/protocol.ts'
import { useQueueCounts } from '#console/back-office/useQueueCounts.ts'
import { written } from '#console/frames/protocol.ts'
import { useConsole, useMay } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { EmptyState } from '#console/parts/EmptyState.tsx'
import type { ConsoleEvent } from '#language/publish/publishing.ts'

const home = '/back-office'
const page = '/console/back-office.html'
/** `/back-office/recharge?id=3` → `/recharge?id=3` */
const within = (pathname: string, search: string) => `${pathname.slice(home.length) || '/'}${search}`
/** Address of the frame that the address bar asks for; undefined on another page of the console. */
function inAddressBar(): string | undefined {
  const address = location.hash.slice(1)
  return address.startsWith(home) ? within(address, '') : undefined
}

/** Pages of the console to which documents of the back office lead: address within the frame → address of the console. */
export function outside(address: string): string | undefined {
  const [, page, id] = /^\/(draft|release)\?id=(\d{1,15})$/.exec(address) ?? []
  return page && `/${page}/${id}${page === 'draft' ? '/review' : ''}`
}

/** The back office in its frame. The addresses of the page and of the frame follow each other. */
export function BackOfficePage() {
  const say = useWords()
  const may = useMay()
  const navigate = useNavigate()
  const { words, setMe, askFresh, onEvent } = useConsole()
  const here = useLocation()
  const counts = useQueueCounts()
  const frame = useRef<HTMLIFrameElement>(null)
  const [round, setRound] = useState(0)
  const [ready, setReady] = useState(false)
  const [broken, setBroken] = useState(false)
  const wanted = within(here.pathname, here.search)
  const [first, setFirst] = useState(wanted)
  /** The address that the frame reported last. */
  const shown = useRef(wanted)
  const [language, reviewer, administrator] = [words.language(), may('reviewer'), may('administrator')]

  const tell = (message: ToBackOffice) => frame.current?.contentWindow?.postMessage(written(message), location.origin)
  const hear = useEffectEvent((event: MessageEvent) => {
    const message = readFromBackOffice(event, { origin: location.origin, window: frame.current?.contentWindow ?? null })
    switch (message?.kind) {
      case 'ready':
        tell({ kind: 'who', who: { language, reviewer, administrator } })
        if (counts) tell({ kind: 'counts', counts })
        if (document.activeElement === document.body) frame.current?.focus()
        return setReady(true)
      case 'where': {
        const to = outside(message.address)
        if (to) return navigate(to, { replace: true })
        shown.current = message.address
        if (message.address !== wanted) navigate(message.address === '/' ? home : `${home}${message.address}`, { replace: true })
        return
      }
      case 'leave': {
        const to = outside(message.address)
        if (to) navigate(to)
        return
      }
      case 'login':
        return setMe(null)
      case 'fresh':
        // The pressed button waits in the frame, so the focus returns there.
        return void askFresh().then((shown) => {
          tell({ kind: 'proved', shown })
          setTimeout(() => frame.current?.focus())
        })
      case 'broken':
        return setBroken(true)
    }
  })
  useLayoutEffect(() => {
    const listener = (event: MessageEvent) => hear(event)
    window.addEventListener('message', listener)
    return () => window.removeEventListener('message', listener)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tell` writes to whatever frame stands
  useEffect(() => {
    if (ready) tell({ kind: 'who', who: { language, reviewer, administrator } })
  }, [ready, language, reviewer, administrator])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same
  useEffect(() => {
    if (ready && counts) tell({ kind: 'counts', counts })
  }, [ready, counts])
  const change = useEffectEvent((about: ConsoleEvent['about'] | null) => {
    if (ready) tell({ kind: 'changed', about })
  })
  useEffect(() => onEvent((event) => change(event?.about ?? null)), [onEvent])
  const open = useEffectEvent((address: string | undefined) => {
    if (!ready || address === undefined || address === shown.current) return
    shown.current = address
    tell({ kind: 'open', address })
  })
  // Each move counts, also one that ends where the last one began: the address between may never be drawn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same
  useEffect(() => open(wanted), [ready, here])
  // The router gives the same location object for equal fields. A move by the address bar or a button of the browser has no key of its own, so
  // the effect above does not run after it.
  useEffect(() => {
    const popped = () => open(inAddressBar())
    window.addEventListener('popstate', popped)
    return () => window.removeEventListener('popstate', popped)
  }, [])

  if (broken)
    return (
      <EmptyState title={say('shell.office.broken')} text={say('shell.office.broken_text')}>
        <Button
          icon={RotateCw}
          onClick={() => {
            setBroken(false)
            setReady(false)
            setFirst(wanted)
            setRound(round + 1)
          }}
        >
          {say('shell.again')}
        </Button>
      </EmptyState>
    )
  return <iframe key={round} ref={frame} className={styles.frame} title={say('shell.office.rail')} src={`${page}#${first}`} />
}
