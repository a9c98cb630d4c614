import { readTexts } from '#console/editor/document/read.ts'
import { useWordLanguage } from '#console/editor/document/useWordLanguage.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { consoleLanguages, useWords } from '#console/io/words.ts'
import { Check, Field, Select } from '#console/parts/Field.tsx'
import { SegmentPicker, useNamedSegments } from '#console/releases/SegmentPicker.tsx'
import styles from '#console/review/Review.module.css'
import type { Rollout, Segment } from '#language/publish/publishing.ts'

interface RolloutProps {
  rollout: Rollout
  onChange: (rollout: Rollout) => void
}

/** Leaves out the filters that let everybody through. */
function lean(segment: Segment): Segment {
  const { languages, named, ...rest } = segment
  return {
    ...(languages?.length && { languages }),
    ...(named?.length && { named }),
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  }
}

/** The audience of a rollout: a share of customers, languages, logged in, verified. */
export function RolloutFields({ rollout, onChange }: RolloutProps) {
  const say = useWords()
  const { segment, percent } = rollout
  const put = (change: Partial<Segment>) => onChange({ percent, segment: lean({ ...segment, ...change }) })
  const languages = segment.languages ?? []
  const { files } = useWorkspace()
  const [language] = useWordLanguage(Object.keys(readTexts(files)))
  const segments = useNamedSegments(files, language)
  return (
    <div className={styles.stack}>
      <PercentField percent={percent} onChange={(next) => onChange({ segment, percent: next })} />
      <fieldset className={styles.languages}>
        <legend>{say('review.rollout.languages')}</legend>
        {consoleLanguages.map(({ id, label }) => (
          <Check
            key={id}
            label={label}
            checked={languages.includes(id)}
            onChange={(on) => put({ languages: on ? [...languages, id] : languages.filter((one) => one !== id) })}
          />
        ))}
      </fieldset>
      <SegmentPicker segments={segments} chosen={segment.named ?? []} onChange={(named) => put({ named })} />
      <div className={styles.pair}>
        <Field label={say('review.rollout.login')}>
          {(field) => (
            <Select
              {...field}
              value={segment.loggedIn === undefined ? 'any' : segment.loggedIn ? 'in' : 'out'}
              onChoose={(value) => put({ loggedIn: value === 'any' ? undefined : value === 'in' })}
              choices={(['any', 'in', 'out'] as const).map((value) => ({ value, label: say(`review.rollout.login_${value}`) }))}
            />
          )}
        </Field>
        <Field label={say('review.rollout.kyc')}>
          {(field) => (
            <Select
              {...field}
              value={String(segment.kyc ?? 0)}
              onChoose={(value) => put({ kyc: value === '0' ? undefined : Number(value) })}
              choices={['0', '1', '2'].map((value) => ({ value, label: say(`review.rollout.kyc_${value}`) }))}
            />
          )}
        </Field>
      </div>
    </div>
  )
}

export function PercentField({ percent, onChange, min = 0 }: { percent: number; onChange: (percent: number) => void; min?: number }) {
  const say = useWords()
  return (
    <Field label={say('review.rollout.percent')}>
      {(field) => (
        <div className={styles.percent}>
          <input
            {...field}
            type="range"
            min={min}
            max={100}
            step={1}
            value={percent}
            onChange={(event) => onChange(Number(event.target.value))}
          />
          <output htmlFor={field.id}>{percent} %</output>
        </div>
      )}
    </Field>
  )
}
