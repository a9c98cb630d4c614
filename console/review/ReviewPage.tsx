import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useAsked, useConsole } from '#console/io/console.ts'
import { placeIn } from '#console/io/places.ts'
import { usePrepared } from '#console/io/usePrepared.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Card, Page } from '#console/parts/layout/Page.tsx'
import { Tabs } from '#console/parts/layout/Tabs.tsx'
import { exactly, when } from '#console/parts/when.ts'
import { HistoryCard, NotesCards } from '#console/releases/HistoryCard.tsx'
import { Changes } from '#console/review/ChangesCard.tsx'
import { ChecksCard, ImpactCard } from '#console/review/ChecksCard.tsx'
import { FlowsCard } from '#console/review/FlowsCard.tsx'
import { MergeCard } from '#console/review/MergeCard.tsx'
import styles from '#console/review/Review.module.css'
import { ReviewActions } from '#console/review/ReviewActions.tsx'
import { DraftStateBadge } from '#console/shell/StateBadges.tsx'

const BeforeAfter = lazy(async () => ({ default: (await import('#console/preview/BeforeAfter.tsx')).BeforeAfter }))
type Part = 'changes' | 'frames' | 'checks' | 'history'

/** The review of a draft: its changes, its checks and the steps up to publishing. */
export function ReviewPage() {
  const say = useWords()
  const tag = useLocaleTag()
  const { client } = useConsole()
  const { draft, base, files, catalog, prepared, save, changed, flush, refresh } = useWorkspace()
  const [part, setPart] = useState<Part>('changes')
  const id = draft?.id ?? 0
  const report = useAsked(draft ? `check.${id}` : null, (signal) => client.check(id, signal), ['draft', 'release', 'flows'])
  const history = useAsked(draft ? `history.${id}` : null, () => client.draftHistory(id), ['draft', 'release'])
  const { again } = report

  // The server checks saved files, so unsaved edits are sent first and the checks run again after each save.
  const waiting = save.pending.length
  const before = useRef(waiting)
  useEffect(() => {
    if (waiting > 0) void flush()
    else if (before.current > 0) again()
    before.current = waiting
  }, [waiting, flush, again])

  const older = usePrepared(part === 'frames' ? base : null, catalog)
  if (!draft) return null
  const after = () => {
    again()
    void refresh()
  }
  const data = report.data
  const steps = history.data ?? []
  const errors = data?.problems.filter(({ severity }) => severity === 'error').length ?? 0
  const editAt = (path: string, pointer: string) => placeIn(id, path, pointer)
  const rejection = draft.rejection
  return (
    <Page
      title={draft.name}
      beside={<DraftStateBadge draft={draft} />}
      lead={
        <>
          {draft.note && <p>{draft.note}</p>}
          {say('review.by', { author: draft.author, when: when(draft.createdAt, tag), base: draft.base })}
        </>
      }
      actions={<ReviewActions report={data ?? null} current={waiting === 0 && !report.loading} onDone={after} />}
    >
      {rejection && draft.state === 'open' && (
        <Card tone="bad" title={say('review.sent_back', { name: rejection.by, when: when(rejection.at, tag) })}>
          <p>{rejection.reason}</p>
        </Card>
      )}
      <NotesCards draft={draft} steps={steps} />
      {draft.schedule?.state === 'waiting' && (
        <Card tone="warn" title={say('review.goes_live', { at: exactly(draft.schedule.at, tag) })}>
          <p className="quiet">{say('review.goes_live_text', { name: draft.schedule.by })}</p>
        </Card>
      )}
      {draft.schedule?.state === 'refused' && (
        <Card tone="bad" title={say('review.schedule_refused', { at: exactly(draft.schedule.at, tag) })}>
          <p>{draft.schedule.reason}</p>
        </Card>
      )}
      {draft.approval && (
        <Card title={say('review.approved', { name: draft.approval.by, when: when(draft.approval.at, tag) })}>
          {draft.approval.note && <p>{draft.approval.note}</p>}
          {draft.approval.unrunFlows && <p className="quiet">{say('review.accepted_unrun', { words: draft.approval.unrunFlows })}</p>}
          <p className={styles.hash}>{draft.approval.hash}</p>
        </Card>
      )}
      {draft.stale && <MergeCard draft={draft} onDone={after} />}
      {report.error && !data && <ErrorState error={report.error} again={again} />}
      {!data && !report.error && (
        <Card>
          <p role="status">{say('review.checks.running')}</p>
          <Skeleton rows={3} />
        </Card>
      )}
      {data && (
        <Tabs<Part>
          label={say('review.parts')}
          chosen={part}
          onChoose={setPart}
          tabs={[
            { id: 'changes', label: say('review.part.changes'), count: changed.length },
            { id: 'frames', label: say('review.part.frames') },
            { id: 'checks', label: say('review.part.checks'), count: errors > 0 ? errors : undefined },
            { id: 'history', label: say('review.part.history') },
          ]}
        >
          {part === 'changes' && (
            <Changes
              diff={data.diff}
              before={base}
              after={files}
              beforeLabel={say('review.release_number', { number: draft.base })}
              afterLabel={draft.name}
              editAt={editAt}
            />
          )}
          {part === 'frames' && (
            <Suspense fallback={<Skeleton />}>
              <BeforeAfter before={older} after={prepared} screens={data.screens} />
            </Suspense>
          )}
          {part === 'checks' && (
            <div className={styles.stack}>
              <ChecksCard report={data} editAt={editAt} />
              <FlowsCard draft={draft} report={data} />
              <ImpactCard impact={data.reach} />
            </div>
          )}
          {part === 'history' && <HistoryCard draft={draft} steps={steps} put={history.put} />}
        </Tabs>
      )}
    </Page>
  )
}
