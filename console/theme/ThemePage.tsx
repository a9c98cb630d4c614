import { CircleCheck, CircleX, Palette, PanelRightClose, PanelRightOpen } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { IconButton, LinkButton } from '#console/parts/Button.tsx'
import { EmptyState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { Card, Page } from '#console/parts/layout/Page.tsx'
import { SplitPane } from '#console/parts/layout/SplitPane.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import styles from '#console/theme/Theme.module.css'
import { contrastsOf, readColour, readTheme, writeColour } from '#console/theme/tokens.rules.ts'
import { editText } from '#language/edit/edit.ts'
import { classes } from '#widgets/parts/look/classes.ts'

const path = 'schemas/theme.json'
const sizes = ['space', 'radius', 'type'] as const
const palettes = ['dark', 'light'] as const

/** The colours and sizes of the app, dark and light side by side, with all contrasts. */
export function ThemePage() {
  const say = useWords()
  const toast = useToast()
  const { files, base, editable, edit, draft } = useWorkspace()
  const text = files[path]
  const theme = useMemo(() => readTheme(text), [text])
  const before = useMemo(() => readTheme(base[path]), [base])
  if (!theme || text === undefined) {
    return (
      <EmptyState icon={Palette} title={say('review.theme.unread')} text={say('review.theme.unread_text')}>
        {draft && <LinkButton to={`/draft/${draft.id}/document/${path}`}>{say('review.theme.open_json')}</LinkButton>}
      </EmptyState>
    )
  }
  const put = (pointer: string, value: string | number) => {
    try {
      edit(path, editText(text, pointer, value), pointer)
    } catch (error) {
      toast.bad(error)
    }
  }
  const contrasts = { dark: contrastsOf(theme.dark), light: contrastsOf(theme.light) }
  const bad = [...contrasts.dark, ...contrasts.light].filter(({ good }) => !good).length
  const names = [...new Set([...Object.keys(theme.dark), ...Object.keys(theme.light)])]
  return (
    <WithPreview>
      <Page
        title={say('review.theme.title')}
        lead={say('review.theme.lead')}
        beside={
          bad > 0 ? (
            <Badge tone="bad">{say('review.theme.bad', { count: bad })}</Badge>
          ) : (
            <Badge tone="good">{say('review.theme.good')}</Badge>
          )
        }
      >
        <Card title={say('review.theme.colours')}>
          <div className={styles.colours}>
            <div className={styles.row}>
              <span className={styles.headName}>{say('review.theme.token')}</span>
              {palettes.map((palette) => (
                <span key={palette} className={styles.headName}>
                  {say(`review.theme.${palette}`)}
                </span>
              ))}
            </div>
            {names.map((name) => (
              <div key={name} className={styles.row}>
                <span className={styles.name}>{name}</span>
                {palettes.map((palette) => (
                  <ColourField
                    key={palette}
                    label={`${name}, ${say(`review.theme.${palette}`)}`}
                    value={theme[palette][name]}
                    changed={theme[palette][name] !== before?.[palette][name]}
                    disabled={!editable}
                    onChange={(value) => put(`/${palette}/${name}`, value)}
                  />
                ))}
              </div>
            ))}
          </div>
        </Card>
        <Card title={say('review.theme.contrasts')}>
          <p className="quiet">{say('review.theme.contrasts_text')}</p>
          <div className={styles.pairs}>
            {palettes.map((palette) => (
              <ul key={palette} aria-label={say(`review.theme.${palette}`)} className={styles.pairList}>
                {contrasts[palette].map(({ text: front, ground, ratio, good }) => (
                  <li key={`${front} ${ground}`} className={styles.pair}>
                    <span
                      className={styles.swatch}
                      style={{ background: theme[palette][ground], color: theme[palette][front] }}
                      aria-hidden
                    >
                      Aa 1.23
                    </span>
                    <span className={styles.pairName}>{say('review.theme.on', { text: front, ground })}</span>
                    <span className={good ? styles.good : styles.bad}>
                      {good ? (
                        <CircleCheck size={14} aria-label={say('review.theme.enough')} />
                      ) : (
                        <CircleX size={14} aria-label={say('review.theme.too_low')} />
                      )}
                      {ratio === null ? '—' : `${ratio.toFixed(1)} : 1`}
                    </span>
                  </li>
                ))}
              </ul>
            ))}
          </div>
        </Card>
        {sizes.map((group) => (
          <Card key={group} title={say(`review.theme.${group}`)}>
            <div className={styles.sizes}>
              {Object.entries(theme[group]).map(([name, value]) => (
                <Field key={name} label={`${name} (px)`}>
                  {(field) => (
                    <TextInput
                      {...field}
                      type="number"
                      min={0}
                      max={200}
                      disabled={!editable}
                      value={value}
                      onChange={(event) => event.target.value !== '' && put(`/${group}/${name}`, Number(event.target.value))}
                    />
                  )}
                </Field>
              ))}
            </div>
          </Card>
        ))}
        <Card title={say('review.theme.coins')}>
          <div className={styles.coins}>
            {Object.entries(theme.coins).map(([name, value]) => (
              <div key={name} className={styles.coin}>
                <span className={styles.name}>{name}</span>
                <ColourField
                  label={name}
                  value={value}
                  changed={value !== before?.coins[name]}
                  disabled={!editable}
                  onChange={(next) => put(`/coins/${name}`, next)}
                />
              </div>
            ))}
          </div>
        </Card>
      </Page>
    </WithPreview>
  )
}

interface ColourFieldProps {
  label: string
  /** `#28ba98` or `#28ba9826`; undefined where the palette lacks it. */
  value: string | undefined
  changed: boolean
  disabled: boolean
  onChange: (value: string) => void
}

/** A colour picker with the colour as text. Invalid text stays in the field and is not saved. */
function ColourField({ label, value, changed, disabled, onChange }: ColourFieldProps) {
  const say = useWords()
  const [typed, setTyped] = useState<string | null>(null)
  const read = readColour(value ?? '')
  const shown = typed ?? value ?? ''
  return (
    <span className={classes(styles.colour, changed && styles.changed)}>
      <span className={styles.well}>
        <span className={styles.ink} style={{ background: value }} />
        <input
          type="color"
          aria-label={label}
          disabled={disabled}
          value={read?.solid ?? '#000000'}
          onChange={(event) => {
            setTyped(null)
            onChange(writeColour(event.target.value, read?.alpha ?? 100))
          }}
        />
      </span>
      <TextInput
        className={styles.hex}
        aria-label={say('review.theme.as_text', { name: label })}
        aria-invalid={readColour(shown) === undefined || undefined}
        disabled={disabled}
        maxLength={9}
        value={shown}
        onChange={(event) => {
          const next = event.target.value.trim()
          if (readColour(next)) {
            setTyped(null)
            onChange(next)
          } else setTyped(next)
        }}
        onBlur={() => setTyped(null)}
      />
    </span>
  )
}

const LazyPreview = lazy(async () => ({ default: (await import('#console/preview/PreviewPane.tsx')).PreviewPane }))
const foldedKey = 'console.preview.folded'

/** A page with the preview beside it, which can be collapsed. The choice is stored in this browser. */
function WithPreview({ children }: { children: ReactNode }) {
  const say = useWords()
  const { prepared, problems, unread, checking } = useWorkspace()
  const [folded, setFolded] = useState(() => localStorage.getItem(foldedKey) === '1' || matchMedia('(max-width: 900px)').matches)
  const fold = (next: boolean) => {
    setFolded(next)
    localStorage.setItem(foldedKey, next ? '1' : '0')
  }
  return (
    <SplitPane
      id="preview"
      main={
        <>
          {folded && (
            <div className={styles.open}>
              <IconButton label={say('shell.preview.open')} icon={PanelRightOpen} onClick={() => fold(false)} />
            </div>
          )}
          {children}
        </>
      }
      side={
        folded ? null : (
          <div className={styles.side}>
            <div className={styles.head}>
              <strong>{say('shell.preview.title')}</strong>
              <IconButton small label={say('shell.preview.close')} icon={PanelRightClose} onClick={() => fold(true)} />
            </div>
            <Suspense fallback={<Skeleton />}>
              <LazyPreview set={prepared} problems={problems} unread={unread} checking={checking} />
            </Suspense>
          </div>
        )
      }
    />
  )
}
