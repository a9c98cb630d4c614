import { useState } from 'react'
import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { Notice } from '#widgets/parts/Notice.tsx'
import { allowedAddress } from '#widgets/web-view/allow.rules.ts'
import styles from '#widgets/web-view/WebView.module.css'
import type { WebViewProps } from '#widgets/web-view/web-view.props.ts'

export function WebView({ root, props }: ViewProps<WebViewProps>) {
  const { url, title, hosts } = props
  const say = useEngineText()
  const [loaded, setLoaded] = useState('')
  const address = allowedAddress(url, hosts, location.host)
  if (!address) {
    return (
      <div {...root}>
        <Notice icon="shield-check" tone="warn" title={say('widget.web_refused_title')} text={say('widget.web_refused_text')} />
      </div>
    )
  }
  return (
    <div {...root} className={styles.frame} aria-busy={loaded !== address || undefined}>
      {loaded !== address && <SkeletonShape shape="lines" count={6} />}
      <iframe
        className={styles.page}
        src={address}
        title={title}
        sandbox="allow-forms allow-popups allow-same-origin allow-scripts"
        referrerPolicy="no-referrer"
        loading="lazy"
        onLoad={() => setLoaded(address)}
      />
    </div>
  )
}
