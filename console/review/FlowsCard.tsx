import { CircleCheck, CircleX, Play } from 'lucide-react'
import { useState } from 'react'
import { useAsked, useClient, useMay } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Button } from '#console/parts/Button.tsx'
import { Progress } from '#console/parts/EmptyState.tsx'
import { Card } from '#console/parts/layout/Page.tsx'
import { useRun } from '#console/parts/useRun.ts'
import { when } from '#console/parts/when.ts'
import styles from '#console/review/Review.module.css'
import type { CheckReport, Draft } from '#language/publish/publishing.ts'

const tones = { passed: 'good', failed: 'bad', 'not-run': 'neutral', running: 'info' } as const

/** Flows of the changed screens, run in a browser on the server. */
export function FlowsCard({ draft, report }: { draft: Draft; report: CheckReport }) {
  const say = useWords()
  const tag = useLocaleTag()
  const client = useClient()
  const may = useMay()
  const { busy, run } = useRun()
  const [asked, setAsked] = useState(false)
  const flows = useAsked(`flows.${draft.id}`, () => client.flows(draft.id), ['flows', 'draft'])
  const latest = flows.data ?? report.flows
  const current = latest && latest.hash === report.hash ? latest : null
  const running = current?.state === 'running'
  const start = () =>
    run('flows', async () => {
      setAsked(true)
      flows.put(await client.runFlows(draft.id))
    })
  return (
    <Card
      title={say('review.flows.title')}
      actions={
        report.canRunFlows &&
        report.ok &&
        may('editor', 'approver', 'publisher') && (
          <Button small icon={Play} busy={busy !== null || running} onClick={() => void start()}>
            {say(current ? 'review.flows.again' : 'review.flows.run')}
          </Button>
        )
      }
    >
      {!report.canRunFlows && <p className="quiet">{say('review.flows.no_browser')}</p>}
      {report.canRunFlows && !current && <p className="quiet">{say(latest && !asked ? 'review.flows.older' : 'review.flows.never')}</p>}
      {current && (
        <>
          <p className={styles.build}>
            <Badge tone={tones[current.state]}>{say(`review.flows.${current.state}`)}</Badge>
            <span className="quiet">{say('review.flows.by', { name: current.by, when: when(current.startedAt, tag) })}</span>
          </p>
          {running && (
            <Progress
              done={current.done}
              total={current.total}
              label={say('review.flows.progress', { done: current.done, total: current.total || '…' })}
            />
          )}
          <ul className={styles.results}>
            {current.results.map(({ flow, ok, ms, step, message }) => (
              <li key={flow} data-ok={ok}>
                {ok ? (
                  <CircleCheck size={16} aria-label={say('review.flows.passed')} />
                ) : (
                  <CircleX size={16} aria-label={say('review.flows.failed')} />
                )}
                <span className={styles.grow}>
                  {flow}
                  {!ok && (
                    <span className={styles.failure}>
                      {step} — {message}
                    </span>
                  )}
                </span>
                <span className="quiet">{say('review.checks.ms', { ms: Math.round(ms) })}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
