import { useState } from 'react'
import { useCall, useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { checkLimits, checkPrice, type DayEnd, type Finding, firstRead, isEnough, type LogTick } from '#widgets/price-check/check.rules.ts'
import styles from '#widgets/price-check/PriceCheck.module.css'
import type { PriceCheckProps } from '#widgets/price-check/price-check.props.ts'

type State = 'idle' | 'busy' | 'failed' | readonly Finding[]
const icons = { right: 'check', wrong: 'x', open: 'info' } as const

/** Checks a price of the log on the device: it reads the prices around it and computes their hashes. */
export function PriceCheck({ root, props }: ViewProps<PriceCheckProps>) {
  const call = useCall()
  const say = useEngineText()
  const [state, setState] = useState<State>('idle')

  async function read(): Promise<readonly Finding[]> {
    const rows: LogTick[] = []
    let from = firstRead(props)
    while (!isEnough(props, rows)) {
      const { list } = (await call('market.ticks', { from: String(from), limit: String(checkLimits.page) })) as { list: LogTick[] }
      rows.push(...list)
      if (list.length < checkLimits.page) break
      from = list.at(-1)!.tick_id + 1
    }
    const { list: ends } = (await call('market.dayEnds', { from: String(props.tick.time), limit: '3' })) as { list: DayEnd[] }
    return checkPrice(props, rows, ends)
  }
  const check = () => {
    setState('busy')
    read().then(setState, () => setState('failed'))
  }

  const isDone = typeof state === 'object'
  const isWrong = isDone && state.some(({ result }) => result === 'wrong')
  return (
    <div {...root} className={styles.check}>
      <PushButton label={say('widget.check_here')} icon="shield-check" size="sm" busy={state === 'busy'} onPress={check} />
      <div role="status" className={styles.status}>
        {state === 'failed' && <p className={styles.wrong}>{say('widget.check_failed')}</p>}
        {isDone && (
          <>
            <p className={classes(styles.sum, isWrong ? styles.wrong : styles.right)}>
              {say(isWrong ? 'widget.check_wrong' : 'widget.check_right')}
            </p>
            <ul className={styles.findings}>
              {state.map(({ text, result, values }) => (
                <li key={text} className={styles.finding} data-result={result}>
                  <span className={styles[result]}>
                    <Icon name={icons[result]} size={16} />
                  </span>
                  <span>{say(`widget.check_${text}`, values)}</span>
                </li>
              ))}
            </ul>
            <p className={styles.limits}>{say('widget.check_limits')}</p>
          </>
        )}
      </div>
    </div>
  )
}
