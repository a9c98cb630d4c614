import { MousePointerClick, RotateCw } from 'lucide-react'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { Select } from '#console/parts/Field.tsx'
import { DeviceFrame } from '#console/preview/DeviceFrame.tsx'
import { DryRuns, HiddenList } from '#console/preview/PreviewLists.tsx'
import type { HiddenNode, NodePlace, Switches } from '#console/preview/protocol.ts'
import { addressFor, pathOf, RoutePicker } from '#console/preview/RoutePicker.tsx'
import { SwitchBar, useLooks } from '#console/preview/SwitchBar.tsx'
import {
  isClosedFor,
  ledElsewhere,
  type PreviewSet,
  promptsOf,
  routesOf,
  type ScreenRoute,
  screensOf,
  screensWithFragment,
} from '#console/preview/sets.ts'
import { useAsBuild, useBuilds } from '#console/preview/useBuilds.ts'
import { useFrame } from '#console/preview/useFrame.ts'
import type { AppDoc } from '#language/documents/documents.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import '#console/preview/preview.css'
import '#console/preview/lists.css'

/** The methods that other components can call through the preview's `ref`. */
export interface PreviewHandle {
  /** Why a node is shown, hidden or disabled; null where it is not on the page. */
  why(place: NodePlace): Promise<HiddenNode | null>
  /** Opens a page of the app: `/pages/market/market?symbol=BTCUSDT`. */
  open(address: string): void
}

interface PreviewPaneProps {
  /** The documents to show; the last ones stay visible until others come. Null before the first. */
  set: PreviewSet | null
  /** Problems of the newest state. */
  problems?: readonly LintProblem[]
  /** Unreadable files: the preview shows their last valid state. */
  unread?: readonly string[]
  /** The documents are older than the last edit. */
  checking?: boolean
  /** Time of the shown edit, by `performance.now()`, for measuring. The workspace's last edit when left out. */
  editedAt?: number
  /** The open document: the preview goes to a page that shows it. */
  document?: DocumentKey | null
  selected?: NodePlace | null
  /** A node was picked. Nodes of a fragment are reported as nodes of their screen, with the fragment's prefix. */
  onPick?: (place: NodePlace) => void
  /** Opens a problem. */
  onProblem?: (problem: LintProblem) => void
  ref?: Ref<PreviewHandle>
}

const isError = ({ severity }: LintProblem) => severity === 'error'

/** A live preview of the app on the documents of the draft. */
export function PreviewPane(props: PreviewPaneProps) {
  const { set, problems = [], unread = [], checking = false, editedAt, document: worked, selected = null } = props
  const say = useWords()
  const [looks, change] = useLooks()
  const [picking, setPicking] = useState(false)
  const builds = useBuilds()
  const shown = useAsBuild(set, builds, looks.build)
  const typedAt = useTypedAt()
  const frame = useFrame({
    set: shown,
    switches: looks,
    selected,
    editedAt: () => editedAt ?? typedAt.current,
    onPick(place) {
      setPicking(false)
      if (place) props.onPick?.(place)
    },
  })
  const { link, view } = frame
  /** The page that was requested last, by its route. */
  const [askedPath, setAskedPath] = useState<string>()
  const open = useCallback(
    (address: string) => {
      setAskedPath(pathOf(address))
      link.open(address)
    },
    [link],
  )
  useImperativeHandle(props.ref, () => ({ why: link.why, open }), [link, open])
  useLoginWithin(view.ready ? view.customer : undefined, looks.customer, (customer) => change({ customer }))
  const routes = useMemo(() => (set ? routesOf(set) : []), [set])
  const openFor = useCallback(
    (page: ScreenRoute) => {
      if (isClosedFor(page, looks)) {
        const viewer = { customer: true, kyc: Math.max(page.kyc, looks.kyc) as Switches['kyc'] }
        change(viewer)
        // The frame learns who looks before it opens the page: a visitor would be sent to the login page.
        link.switches({ ...looks, ...viewer })
      }
      open(addressFor(page))
    },
    [link, looks, change, open],
  )
  useFollow(set, routes, worked, view.screen, openFor)

  const prompts = useMemo(() => (set && worked ? promptsOf(set, worked) : []), [set, worked])
  usePrompt(worked, link.prompt)

  const errors = problems.filter(isError)
  const app = set?.documents['app/app']?.doc as AppDoc | undefined
  const route = routes.find(({ screen }) => screen === view.screen)
  const asked = routes.find(({ path }) => pathOf(path) === askedPath)
  const led = ledElsewhere(asked, view.screen, { customer: view.customer, kyc: looks.kyc })
  const closed = led ?? (route?.auth && !view.customer ? route : undefined)
  const asCustomer = () => {
    if (!closed) return
    if (led) openFor(led)
    else change({ customer: true, kyc: Math.max(closed.kyc, looks.kyc) as Switches['kyc'] })
  }
  const pick = (on: boolean) => {
    setPicking(on)
    link.pick(on)
  }
  return (
    <section
      className="pv"
      aria-label={say('preview.title')}
      data-preview-ms={view.ms ?? undefined}
      data-preview-pictures={view.pictures}
      data-preview-ready={view.ready || undefined}
      data-checking={checking || undefined}
    >
      <div className="pv-top">
        {set && <RoutePicker set={set} address={view.address} open={open} />}
        {prompts.length > 0 && (
          <Select
            className="pv-select pv-prompts"
            aria-label={say('preview.prompt')}
            value={view.prompt ?? ''}
            choices={[{ value: '', label: say('preview.no_prompt') }, ...prompts.map((value) => ({ value, label: value }))]}
            onChoose={(id) => link.prompt(id || null)}
          />
        )}
        {props.onPick && (
          <Button small icon={MousePointerClick} className="pv-toggle" aria-pressed={picking} onClick={() => pick(!picking)}>
            {say('preview.pick')}
          </Button>
        )}
        <IconButton small icon={RotateCw} label={say('preview.reload')} onClick={frame.reload} />
      </div>
      <SwitchBar looks={looks} change={change} languages={app?.languages ?? []} builds={builds} />
      <DeviceFrame
        device={looks.device}
        attach={frame.attach}
        title={say('preview.frame')}
        label={view.customer || looks.data !== 'ok' ? say('preview.sample_data') : undefined}
      >
        {!view.ready && !view.broken && <p className="pv-wait">{say('preview.loading')}</p>}
      </DeviceFrame>
      <div className="pv-notes" role="status">
        {picking && <Note>{say('preview.picking')}</Note>}
        {closed && (
          <Note>
            {led ? say('preview.led_elsewhere', { page: led.screen }) : say('preview.closed_page')}{' '}
            <button type="button" className="pv-link" onClick={asCustomer}>
              {say('preview.as_customer')}
            </button>
          </Note>
        )}
        {view.broken !== null && <Note bad>{say(view.broken === 'release-unfit' ? 'preview.unfit' : 'preview.broken')}</Note>}
        {(unread.length > 0 || errors.length > 0) && (
          <Note bad>
            {unread.length > 0
              ? say('preview.last_good', { count: unread.length })
              : say('preview.with_problems', { count: errors.length })}
            {props.onProblem && errors[0] && (
              <>
                {' '}
                <button type="button" className="pv-link" onClick={() => props.onProblem?.(errors[0]!)}>
                  {say('preview.first_problem')}
                </button>
              </>
            )}
          </Note>
        )}
      </div>
      <Drawer
        hidden={view.hidden}
        watch={link.watch}
        runs={view.runs.length}
        hiddenList={<HiddenList nodes={view.hidden} selected={selected} pick={props.onPick} />}
        runList={<DryRuns runs={view.runs} forget={link.forgetRuns} />}
      />
    </section>
  )
}

function Note({ bad = false, children }: { bad?: boolean; children: ReactNode }) {
  return (
    <p className="pv-note" data-bad={bad || undefined}>
      {children}
    </p>
  )
}

/** Opens the prompt that is edited and closes the one that was edited before. */
function usePrompt(worked: DocumentKey | null | undefined, show: (id: string | null) => void): void {
  const shows = worked?.startsWith('prompt/') ? worked.slice('prompt/'.length) : null
  useEffect(() => {
    show(shows)
    return () => show(null)
  }, [shows, show])
}

/** Time of the workspace's last change. */
function useTypedAt(): RefObject<number | undefined> {
  const { files } = useWorkspace()
  const at = useRef<number | undefined>(undefined)
  const before = useRef(files)
  useLayoutEffect(() => {
    if (before.current !== files) at.current = performance.now()
    before.current = files
  }, [files])
  return at
}

/** A login or logout on the app's own pages changes the option as well. */
function useLoginWithin(within: boolean | undefined, wished: boolean, change: (customer: boolean) => void): void {
  const last = useRef(within)
  useEffect(() => {
    const before = last.current
    last.current = within
    if (before !== undefined && within !== undefined && before !== within && within !== wished) change(within)
  })
}

/** Opens a page that shows the edited document, as a person who may see it, unless the current page shows it. */
function useFollow(
  set: PreviewSet | null,
  routes: readonly ScreenRoute[],
  worked: DocumentKey | null | undefined,
  screen: string | null,
  open: (page: ScreenRoute) => void,
): void {
  const followed = useRef<string | undefined>(undefined)
  const files = useRef<Readonly<Record<string, string>>>({})
  const { files: now } = useWorkspace()
  useLayoutEffect(() => {
    files.current = now
  })
  useEffect(() => {
    if (!set || !worked || followed.current === worked) return
    const screens = worked.startsWith('fragment/') ? screensWithFragment(files.current, worked.slice(9)) : screensOf(set, worked)
    const route = routes.find((one) => screens.includes(one.screen))
    const isShown = screen !== null && screens.includes(screen)
    // The documents can be older than the edited one, which was created a moment ago: its page comes with the next ones.
    if (!route && !isShown) return
    followed.current = worked
    if (route && !isShown) open(route)
  }, [set, routes, worked, screen, open])
}

interface DrawerProps {
  hidden: readonly HiddenNode[]
  runs: number
  watch: (on: boolean) => void
  hiddenList: ReactNode
  runList: ReactNode
}
type Drawn = 'hidden' | 'runs' | undefined

/** Collapsed lists: hidden nodes, and calls that were not sent. */
function Drawer({ hidden, runs, watch, hiddenList, runList }: DrawerProps) {
  const say = useWords()
  const id = useId()
  const [open, setOpen] = useState<Drawn>()
  useEffect(() => {
    watch(open === 'hidden')
  }, [watch, open])
  const tab = (name: NonNullable<Drawn>, text: string) => (
    <button
      type="button"
      className="pv-tab"
      aria-expanded={open === name}
      aria-controls={id}
      onClick={() => setOpen(open === name ? undefined : name)}
    >
      {text}
    </button>
  )
  return (
    <div className="pv-drawer" data-open={open || undefined}>
      <div className="pv-tabs">
        {tab('hidden', open === 'hidden' ? say('preview.hidden_nodes_count', { count: hidden.length }) : say('preview.hidden_nodes'))}
        {tab('runs', runs > 0 ? say('preview.runs_count', { count: runs }) : say('preview.runs'))}
      </div>
      <div className="pv-drawn" id={id} hidden={!open}>
        {open === 'hidden' && hiddenList}
        {open === 'runs' && runList}
      </div>
    </div>
  )
}
