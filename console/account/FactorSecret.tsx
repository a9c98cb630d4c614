import { Copy } from 'lucide-react'
import { useMemo } from 'react'
import styles from '#console/account/Entry.module.css'
import { useWords } from '#console/io/words.ts'
import { IconButton } from '#console/parts/Button.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { encode } from '#widgets/parts/qr/encode.ts'

/** The secret of a second factor: a QR code for an authenticator app, and text to type. */
export function FactorSecret({ secret, uri }: { secret: string; uri: string }) {
  const say = useWords()
  const toast = useToast()
  return (
    <>
      <Qr text={uri} label={say('shell.setup.qr')} />
      <p className="quiet">{say('shell.setup.by_hand')}</p>
      <div className={styles.secret}>
        <code>{secret.replace(/(.{4})/g, '$1 ').trim()}</code>
        <IconButton
          label={say('shell.copy')}
          icon={Copy}
          onClick={() => void navigator.clipboard.writeText(secret).then(() => toast.good(say('shell.copied')), toast.bad)}
        />
      </div>
    </>
  )
}

/** One SVG path, so that no text becomes HTML. Black on white in every theme, as cameras need it. */
function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => encode(text), [text])
  return (
    <div className={styles.qr}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path d={path} fill="#000000" />
      </svg>
    </div>
  )
}
