import { useState } from 'react'
import { useClient } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Check, Field, Select, TextArea, TextInput } from '#console/parts/Field.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { useGoOn } from '#console/parts/useGoOn.ts'
import { useRun } from '#console/parts/useRun.ts'
import { exactly, momentOf } from '#console/parts/when.ts'
import { RolloutFields } from '#console/releases/RolloutFields.tsx'
import type { Draft, Rollout } from '#language/publish/publishing.ts'

interface PublishProps {
  open: boolean
  draft: Draft
  hash: string
  onClose: () => void
  onDone: () => void
}
type Way = 'now' | 'staged' | 'later'
const firstPercent = 10

/** Publishes to everybody or to a share at once, or at a time. The client asks for a fresh proof of identity. */
export function PublishDialog({ open, draft, hash, onClose, onDone }: PublishProps) {
  const say = useWords()
  const tag = useLocaleTag()
  const toast = useToast()
  const client = useClient()
  const goOn = useGoOn()
  const { busy, run } = useRun()
  const [way, setWay] = useState<Way>('now')
  const [rollout, setRollout] = useState<Rollout>({ segment: {}, percent: firstPercent })
  const [at, setAt] = useState('')
  const [some, setSome] = useState(false)
  const [emergency, setEmergency] = useState(false)
  const [reason, setReason] = useState(draft.note)
  const { at: time, skipped } = momentOf(at)
  const late = way === 'later' && !(time > Date.now())
  const wrong = late || (way === 'later' && skipped)
  const staged = way === 'staged' || (way === 'later' && some)
  const send = () =>
    run('publish', async () => {
      const made = await client.publish(draft.id, {
        hash,
        reason: reason.trim(),
        ...(staged && { rollout }),
        ...(way === 'later' ? { at: time } : emergency && { emergency }),
      })
      onClose()
      onDone()
      if ('number' in made) {
        toast.good(say(staged ? 'review.publish.rolling' : 'review.publish.done', { number: made.number }))
        goOn(`/release/${made.number}`)
      } else toast.good(say('review.publish.scheduled', { at: exactly(made.at, tag) }))
    })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={say('review.publish.title', { name: draft.name })}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy !== null} disabled={reason.trim() === '' || wrong} onClick={() => void send()}>
            {say(`review.publish.ok_${way}`)}
          </Button>
        </>
      }
    >
      <Field label={say('review.publish.way')} help={say(`review.publish.help_${way}`)}>
        {(field) => (
          <Select
            {...field}
            value={way}
            onChoose={setWay}
            choices={(['now', 'staged', 'later'] as const).map((value) => ({ value, label: say(`review.publish.${value}`) }))}
          />
        )}
      </Field>
      {way === 'later' && (
        <>
          <Field
            label={say('review.publish.at')}
            help={Intl.DateTimeFormat(tag).resolvedOptions().timeZone}
            error={
              at === '' || !wrong
                ? undefined
                : skipped
                  ? say('review.publish.skipped', { at: exactly(time, tag) })
                  : say('review.publish.past')
            }
          >
            {(field) => <TextInput {...field} type="datetime-local" value={at} onChange={(event) => setAt(event.target.value)} />}
          </Field>
          <Field label={say('review.publish.whom')}>
            {(field) => (
              <Select
                {...field}
                value={some ? 'some' : 'all'}
                onChoose={(value) => setSome(value === 'some')}
                choices={[
                  { value: 'all', label: say('review.publish.all') },
                  { value: 'some', label: say('review.publish.some') },
                ]}
              />
            )}
          </Field>
        </>
      )}
      {staged && <RolloutFields rollout={rollout} onChange={setRollout} />}
      {way !== 'later' && (
        <Field label={say('review.publish.emergency')} help={say('review.publish.emergency_help')}>
          {(field) => <Check {...field} label={say('review.publish.emergency_tick')} checked={emergency} onChange={setEmergency} />}
        </Field>
      )}
      <Field label={say('review.reason')} help={say('review.reason_help')}>
        {(field) => <TextArea {...field} rows={2} maxLength={1_000} value={reason} onChange={(event) => setReason(event.target.value)} />}
      </Field>
    </Dialog>
  )
}
