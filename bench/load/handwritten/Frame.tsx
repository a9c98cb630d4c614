import type { ReactNode } from 'react'
import bar from '#widgets/nav-bar/NavBar.module.css'
import page from '#widgets/page/Page.module.css'
import segmented from '#widgets/parts/fields/Segments.module.css'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import button from '#widgets/parts/PushButton.module.css'
import section from '#widgets/section/Section.module.css'

export function Frame({
  screen,
  title,
  right,
  head,
  children,
}: {
  screen: string
  title: string
  right?: ReactNode
  head?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="screen" data-screen={screen}>
      <main className={page.page}>
        <div className={page.head}>
          <header className={bar.bar}>
            <h1 className={bar.title}>{title}</h1>
            <div className={bar.right}>{right}</div>
          </header>
          {head}
        </div>
        <div className={page.body}>{children}</div>
      </main>
    </div>
  )
}

export function IconButton({ icon, label, small = false }: { icon: string; label: string; small?: boolean }) {
  return (
    <button
      type="button"
      className={`pressable ${button.button} ${button.quiet} ${small ? button.sm : ''} ${button.bare}`}
      aria-label={label}
    >
      <span className={button.face}>
        <Icon name={icon} size={small ? 16 : 20} />
      </span>
    </button>
  )
}

export function Section({ title, more, children }: { title: string; more?: string; children: ReactNode }) {
  return (
    <section className={section.section} aria-label={title}>
      <div className={section.head}>
        <h2 className={section.title}>{title}</h2>
        {more && (
          <button type="button" className={`pressable ${section.more}`}>
            {more}
            <Icon name="chevron-right" size={16} />
          </button>
        )}
      </div>
      {children}
    </section>
  )
}

export function Segmented({ name, options, line = false }: { name: string; options: readonly string[]; line?: boolean }) {
  return (
    <div role="radiogroup" aria-label={name} className={line ? segmented.line : segmented.pill}>
      {options.map((option, i) => (
        <label key={option} className={`pressable ${segmented.option}`} data-on={i === 0 || undefined}>
          <input className="visually-hidden" type="radio" name={name} value={option} defaultChecked={i === 0} />
          <span className={segmented.face}>{option}</span>
        </label>
      ))}
    </div>
  )
}
