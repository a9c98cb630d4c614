import { CircleCheck, CircleMinus, CircleX, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useProblemWords } from '#console/editor/problems/useProblems.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Card } from '#console/parts/layout/Page.tsx'
import { when } from '#console/parts/when.ts'
import styles from '#console/review/Review.module.css'
import { stepsOf } from '#console/review/review.rules.ts'
import type { BuildImpact, CheckReport } from '#language/publish/publishing.ts'

const icons = { passed: CircleCheck, failed: CircleX, warned: TriangleAlert, open: CircleMinus } as const

/** Findings of the checks, in the order in which they run. */
export function ChecksCard({ report, editAt }: { report: CheckReport; editAt: (path: string, pointer: string) => string }) {
  const say = useWords()
  const { messageOf } = useProblemWords()
  const steps = stepsOf(report)
  return (
    <Card
      title={say('review.checks.title')}
      tone={report.ok ? undefined : 'bad'}
      actions={<span className="quiet">{say('review.checks.ms', { ms: Math.round(report.ms) })}</span>}
    >
      <ol className={styles.steps}>
        {steps.map(({ step, state, problems }) => {
          const Icon = icons[state]
          return (
            <li key={step}>
              <div className={styles.step} data-state={state}>
                <Icon size={17} aria-hidden />
                <span>{say(`review.step.${step}`)}</span>
                <span className="quiet">
                  {problems.length > 0 ? say('review.checks.found', { count: problems.length }) : say(`review.checks.${state}`)}
                </span>
              </div>
              {problems.length > 0 && (
                <ul className={styles.problems}>
                  {problems.slice(0, 50).map((problem) => (
                    <li key={`${problem.file} ${problem.line} ${problem.pointer} ${problem.message}`} data-severity={problem.severity}>
                      <Link className={styles.place} to={editAt(problem.file, problem.pointer)}>
                        {messageOf(problem)}
                        {problem.suggestion !== undefined && <> · {say('review.checks.suggestion', { name: problem.suggestion })}</>}
                      </Link>
                      <span className={styles.path}>
                        {problem.file}:{problem.line}
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

/** Which builds in use can show the draft. */
export function ImpactCard({ impact }: { impact: readonly BuildImpact[] }) {
  const say = useWords()
  const tag = useLocaleTag()
  if (impact.length === 0) return null
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <Card title={say('review.impact.title')}>
      <ul className={styles.impact}>
        {impact.map(({ caps, own, seenAt, share, older, never }) => (
          <li key={caps}>
            <div className={styles.build}>
              <strong>{own ? say('review.impact.own') : <code>{caps.slice(0, 10)}</code>}</strong>
              <span className="quiet">{say('review.impact.share', { share: percent.format(share), when: when(seenAt, tag) })}</span>
            </div>
            {older.length + never.length === 0 ? (
              <Badge tone="good">{say('review.impact.all')}</Badge>
            ) : (
              <>
                {older.length > 0 && (
                  <Badge tone="warn" title={older.join(', ')}>
                    {say('review.impact.older', { count: older.length })}
                  </Badge>
                )}
                {never.length > 0 && (
                  <Badge tone="bad" title={never.join(', ')}>
                    {say('review.impact.never', { count: never.length })}
                  </Badge>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
