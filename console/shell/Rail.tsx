import { ClipboardList, FilePen, House, Inbox, LogOut, type LucideIcon, Menu, Rocket, UserRound, Users } from 'lucide-react'
import { useState } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router-dom'
import { badgeOf, waiting } from '#console/back-office/protocol.ts'
import { useQueueCounts } from '#console/back-office/useQueueCounts.ts'
import { useConsole, useMay } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { IconButton } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { LanguageSelect } from '#console/shell/LanguageSelect.tsx'
import styles from '#console/shell/Rail.module.css'
import { classes } from '#widgets/parts/look/classes.ts'

interface Place {
  to: string
  icon: LucideIcon
  word: string
  /** Number of waiting items; `word` is their label. */
  badge?: { text: string; label: string }
  /** Other pages that belong to the place. */
  also?: readonly string[]
}

const auditPlace = '/back-office/console_audit'

/** The place to which a page belongs: the one with the longest address that the page begins with. */
export function placeHere(places: readonly Pick<Place, 'to' | 'also'>[], pathname: string): string | undefined {
  const addresses = places.flatMap(({ to, also = [] }) => [to, ...also].map((address) => ({ to, address })))
  const found = addresses.filter(({ address }) => pathname === address || (address !== '/' && pathname.startsWith(`${address}/`)))
  return found.sort((a, b) => b.address.length - a.address.length)[0]?.to
}

export function Rail() {
  const say = useWords()
  const may = useMay()
  const toast = useToast()
  const navigate = useNavigate()
  const { client, me, setMe } = useConsole()
  const [menu, setMenu] = useState(false)
  const counts = useQueueCounts()
  const waits = counts ? waiting(counts) : 0
  const office: Place = {
    to: '/back-office',
    icon: Inbox,
    word: say('shell.office.rail'),
    ...(waits > 0 && { badge: { text: badgeOf(waits), label: say('shell.office.waiting', { n: waits }) } }),
  }
  const places: Place[] = [
    { to: '/', icon: House, word: say('shell.nav.start') },
    ...(may('reviewer', 'administrator') ? [office] : []),
    { to: '/drafts', icon: FilePen, word: say('shell.nav.drafts') },
    { to: '/releases', icon: Rocket, word: say('shell.nav.releases') },
    { to: auditPlace, icon: ClipboardList, word: say('shell.nav.audit'), also: ['/back-office/console_row'] },
    ...(may('administrator')
      ? [
          {
            to: '/back-office/operators',
            icon: Users,
            word: say('shell.nav.operators'),
            also: ['/back-office/operator', '/back-office/operator_new'],
          },
        ]
      : []),
  ]
  const here = placeHere(places, useLocation().pathname)
  const leave = async () => {
    try {
      await client.logout()
      setMe(null)
      navigate('/login')
    } catch (error) {
      toast.bad(error)
    }
  }
  const links = (after?: () => void) =>
    places.map(({ to, icon: Icon, word, badge }) => (
      <Link
        key={to}
        to={to}
        onClick={after}
        aria-label={badge?.label}
        aria-current={to === here ? 'page' : undefined}
        className={classes(styles.place, to === here && styles.here)}
      >
        <Icon size={20} aria-hidden />
        <span>{word}</span>
        {badge && <span className={styles.badge}>{badge.text}</span>}
      </Link>
    ))
  return (
    <>
      <nav className={styles.rail} aria-label={say('shell.nav.label')}>
        <NavLink to="/" className={styles.brand} aria-label={say('shell.product')}>
          <img src="/icon.svg" alt="" width={32} height={32} />
        </NavLink>
        {links()}
        <div className={styles.space} />
        <NavLink to="/account" className={({ isActive }) => classes(styles.place, isActive && styles.here)} title={me?.operator.name}>
          <UserRound size={20} aria-hidden />
          <span className={styles.name}>{me?.operator.name}</span>
        </NavLink>
        <button type="button" className={styles.place} onClick={leave}>
          <LogOut size={20} aria-hidden />
          <span>{say('shell.logout')}</span>
        </button>
      </nav>
      <div className={styles.top}>
        <NavLink to="/" className={styles.brand} aria-label={say('shell.product')}>
          <img src="/icon.svg" alt="" width={26} height={26} />
          <strong>{say('shell.product')}</strong>
        </NavLink>
        <IconButton label={say('shell.nav.menu')} icon={Menu} onClick={() => setMenu(true)} />
      </div>
      <Dialog open={menu} onClose={() => setMenu(false)} title={say('shell.nav.label')}>
        <div className={styles.menu}>
          {links(() => setMenu(false))}
          <NavLink
            to="/account"
            onClick={() => setMenu(false)}
            className={({ isActive }) => classes(styles.place, isActive && styles.here)}
          >
            <UserRound size={20} aria-hidden />
            <span>{say('shell.nav.account', { name: me?.operator.name ?? '' })}</span>
          </NavLink>
          <button
            type="button"
            className={styles.place}
            onClick={() => {
              setMenu(false)
              void leave()
            }}
          >
            <LogOut size={20} aria-hidden />
            <span>{say('shell.logout')}</span>
          </button>
          <LanguageSelect />
        </div>
      </Dialog>
    </>
  )
}
