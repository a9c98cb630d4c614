import * as z from 'zod'
import { useClient } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Check, Field, Select, TextArea, TextInput } from '#console/parts/Field.tsx'
import { useCallForm } from '#console/parts/form/useCallForm.ts'
import { useToast } from '#console/parts/Toast.tsx'
import { useGoOn } from '#console/parts/useGoOn.ts'
import { exactly, momentOf } from '#console/parts/when.ts'
import { RolloutFields } from '#console/releases/RolloutFields.tsx'
import { consoleCalls } from '#contract/console/console.calls.ts'
import type { Draft, Rollout } from '#language/publish/publishing.ts'

interface PublishProps {
  open: boolean
  draft: Draft
  hash: string
  onClose: () => void
  onDone: () => void
}
const { reason, rollout, emergency } = consoleCalls['drafts.publish'].input.shape
const ways = ['now', 'staged', 'later'] as const
const schema = z
  .object({
    way: z.enum(ways),
    at: z.string(),
    some: z.boolean(),
    rollout: rollout.unwrap(),
    emergency: emergency.unwrap(),
    reason,
  })
  .superRefine(({ way, at }, { addIssue }) => {
    if (way !== 'later') return
    const { at: time, skipped } = momentOf(at)
    if (skipped || !(time > Date.now())) addIssue({ code: 'custom', path: ['at'], message: skipped ? 'skipped' : 'past' })
  })
const firstPercent = 10
const isStaged = ({ way, some }: { way: string; some: boolean }) => way === 'staged' || (way === 'later' && some)

/** Publishes to everybody or to a share at once, or at a time. The client asks for a fresh proof of identity. */
export function PublishDialog({ open, draft, hash, onClose, onDone }: PublishProps) {
  const say = useWords()
  const tag = useLocaleTag()
  const toast = useToast()
  const client = useClient()
  const goOn = useGoOn()
  const { field, set, error, values, busy, submit } = useCallForm<z.input<typeof schema>>({
    schema,
    defaults: {
      way: 'now',
      at: '',
      some: false,
      rollout: { segment: {}, percent: firstPercent },
      emergency: false,
      reason: draft.note,
    },
    needed: ['reason'],
    words: { past: 'review.publish.past', skipped: 'review.publish.past' },
    async send(typed) {
      const staged = isStaged(typed)
      const made = await client.publish(draft.id, {
        hash,
        reason: typed.reason.trim(),
        ...(staged && { rollout: typed.rollout }),
        ...(typed.way === 'later' ? { at: momentOf(typed.at).at } : typed.emergency && { emergency: true }),
      })
      onClose()
      onDone()
      if ('number' in made) {
        toast.good(say(staged ? 'review.publish.rolling' : 'review.publish.done', { number: made.number }))
        goOn(`/release/${made.number}`)
      } else toast.good(say('review.publish.scheduled', { at: exactly(made.at, tag) }))
    },
  })
  const { way, some } = values
  const { at: time, skipped } = momentOf(values.at)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={say('review.publish.title', { name: draft.name })}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy} type="submit" form="publish-draft">
            {say(`review.publish.ok_${way}`)}
          </Button>
        </>
      }
    >
      <form id="publish-draft" style={{ display: 'contents' }} onSubmit={submit} noValidate>
        <Field label={say('review.publish.way')} help={say(`review.publish.help_${way}`)}>
          {(field) => (
            <Select
              {...field}
              value={way}
              onChoose={(next) => set('way', next)}
              choices={ways.map((value) => ({ value, label: say(`review.publish.${value}`) }))}
            />
          )}
        </Field>
        {way === 'later' && (
          <>
            <Field
              label={say('review.publish.at')}
              help={Intl.DateTimeFormat(tag).resolvedOptions().timeZone}
              error={skipped ? say('review.publish.skipped', { at: exactly(time, tag) }) : error('at')}
            >
              {(control) => <TextInput {...control} {...field('at')} type="datetime-local" />}
            </Field>
            <Field label={say('review.publish.whom')}>
              {(field) => (
                <Select
                  {...field}
                  value={some ? 'some' : 'all'}
                  onChoose={(value) => set('some', value === 'some')}
                  choices={[
                    { value: 'all', label: say('review.publish.all') },
                    { value: 'some', label: say('review.publish.some') },
                  ]}
                />
              )}
            </Field>
          </>
        )}
        {isStaged(values) && <RolloutFields rollout={values.rollout as Rollout} onChange={(next) => set('rollout', next)} />}
        {way !== 'later' && (
          <Field label={say('review.publish.emergency')} help={say('review.publish.emergency_help')}>
            {(field) => (
              <Check
                {...field}
                label={say('review.publish.emergency_tick')}
                checked={values.emergency}
                onChange={(on) => set('emergency', on)}
              />
            )}
          </Field>
        )}
        <Field label={say('review.reason')} help={say('review.reason_help')} error={error('reason')}>
          {(control) => <TextArea {...control} {...field('reason')} rows={2} />}
        </Field>
      </form>
    </Dialog>
  )
}
